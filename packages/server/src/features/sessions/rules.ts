import { type AccessLevel, fail, refreshTokenOverlapMs } from '@tessera/protocol';
import type { Impersonation } from '../../core/caller.ts';
import { refuse } from '../../http/refusal.ts';

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

/** True for a refresh token that RFC 6749 appendix A.17 allows. */
export function isPrintable(token: string | undefined): token is string {
  return token !== undefined && printable.test(token);
}

/** @throws INVALID_SCOPE for any scope but `legacy` */
export function assertScope(scope: string | undefined): void {
  if (scope === undefined || scope === 'legacy') return;
  fail('INVALID_SCOPE', undefined, { message: 'The only scope there is is "legacy".' });
}

/** The shortest of the given lifetimes. */
export function shortestLifetime(lifetimeMs: number, ...others: (number | undefined)[]): number {
  return Math.min(lifetimeMs, ...others.filter(other => other !== undefined));
}

/** The time until an open session expires: at its own expiry, or earlier at the maximum age of its project (control 28). */
export function remainingLifetime(
  session: { readonly createdAtMillis: number; readonly expiresAtMillis: number },
  { nowMillis, maxLifetimeMs }: { readonly nowMillis: number; readonly maxLifetimeMs: number | undefined },
): number {
  const untilMaximumAge = maxLifetimeMs === undefined ? undefined : session.createdAtMillis + maxLifetimeMs - nowMillis;
  return shortestLifetime(session.expiresAtMillis - nowMillis, untilMaximumAge);
}

/** The history of a refresh token that has been exchanged. */
export interface ExchangedToken {
  /** The time of the exchange or withdrawal. */
  readonly rotatedAtMillis: number;
  /** It was a successor that was replaced before its first use. */
  readonly isWithdrawn: boolean;
  /** The time when the latest successor was issued; later than the exchange when a repeated request got another one. */
  readonly givenAtMillis: number;
  /** The latest successor has not been exchanged. */
  readonly isSuccessorCurrent: boolean;
}

/** Within 30 seconds another tab, or a repeated request, may still have the token (control 25). */
export function isWithinOverlap(exchangedAtMillis: number, nowMillis: number): boolean {
  return nowMillis - exchangedAtMillis <= refreshTokenOverlapMs;
}

/**
 * Classifies the reuse of a refresh token after its exchange (control 25). `repeated`: within 30 seconds, by another tab
 * or after a lost or late response. `unanswered`: later, and the successor was never used, so the response was lost.
 * `stolen`: another client has used the successor, or has another successor of the same token.
 */
export function classifyReuse(
  token: ExchangedToken,
  { nowMillis, rotates }: { nowMillis: number; rotates: boolean },
): 'repeated' | 'unanswered' | 'stolen' {
  const changedAtMillis = token.isWithdrawn ? token.rotatedAtMillis : token.givenAtMillis;
  if (isWithinOverlap(changedAtMillis, nowMillis)) return 'repeated';
  if (token.isWithdrawn) return 'stolen';
  // Without rotation a current token may have been used any number of times.
  return rotates && token.isSuccessorCurrent ? 'unanswered' : 'stolen';
}

/** The requested lifetime in whole milliseconds, at least 0. */
export function wholeLifetime(askedMs: number | undefined): number | undefined {
  return askedMs === undefined ? undefined : Math.max(0, Math.floor(askedMs));
}

/**
 * Control 34: an impersonation ends no other session of the user. It can end itself.
 *
 * @throws a text 403
 */
export function assertMayEndOthers({
  level,
  impersonation,
}: {
  readonly level: AccessLevel;
  readonly impersonation: Impersonation | undefined;
}): void {
  if (level === 'client' && impersonation !== undefined) refuse(403, 'An impersonation cannot end other sessions.');
}
