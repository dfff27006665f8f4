import { fail, refreshTokenOverlapMs } from '@tessera/protocol';

const mainBranch = 'main';
const printable = /^[\x20-\x7e]+$/;

/**
 * The project of an OAuth client id: a project id, or one with `#` and a branch
 * (docs/contract/tokens-and-sessions.md#refresh-grant).
 */
export function projectOfClient(clientId: string | undefined): string | undefined {
  const [projectId, branchId = mainBranch, ...more] = (clientId ?? '').split('#');
  return branchId === mainBranch && more.length === 0 && projectId !== '' ? projectId : undefined;
}

/** True for what RFC 6749 appendix A.17 allows as a refresh token. */
export function isPrintable(token: string | undefined): token is string {
  return token !== undefined && printable.test(token);
}

/** @throws INVALID_SCOPE for any scope but `legacy` */
export function assertScope(scope: string | undefined): void {
  if (scope === undefined || scope === 'legacy') return;
  fail('INVALID_SCOPE', undefined, { message: 'The only scope there is is "legacy".' });
}

/** The shortest of the lifetimes that are set. */
export function shortest(lifetimeMs: number, ...others: (number | undefined)[]): number {
  return Math.min(lifetimeMs, ...others.filter(other => other !== undefined));
}

/** What is known about a refresh token that has been exchanged. */
export interface ExchangedToken {
  /** When it was exchanged, or withdrawn. */
  readonly rotatedAtMillis: number;
  /** It was itself the successor of one that came back, and has been replaced unused. */
  readonly isWithdrawn: boolean;
  /** When the token was given that it can be exchanged for now: later than it was exchanged, when it has come back before. */
  readonly givenAtMillis: number;
  /** That one has not been exchanged itself. */
  readonly isSuccessorCurrent: boolean;
}

/**
 * What it means that a refresh token comes back after its exchange (control 25). `repeated`: within a moment, by another
 * tab, or because the answer was lost or came late. `unanswered`: later, and the successor was never used, so it did not
 * arrive: a process was killed, a laptop slept. `stolen`: somebody else has gone on with the successor, or has got one
 * that was given for the same token.
 */
export function meaningOfReturn(
  token: ExchangedToken,
  { nowMillis, rotates }: { nowMillis: number; rotates: boolean },
): 'repeated' | 'unanswered' | 'stolen' {
  const changedAtMillis = token.isWithdrawn ? token.rotatedAtMillis : token.givenAtMillis;
  if (nowMillis - changedAtMillis <= refreshTokenOverlapMs) return 'repeated';
  if (token.isWithdrawn) return 'stolen';
  // Where tokens are no longer exchanged, one that is current may have been used any number of times.
  return rotates && token.isSuccessorCurrent ? 'unanswered' : 'stolen';
}

/** A lifetime that a caller asks for: fractions of a millisecond are dropped, and less than nothing is nothing. */
export function wholeLifetime(askedMs: number | undefined): number | undefined {
  return askedMs === undefined ? undefined : Math.max(0, Math.floor(askedMs));
}
