import { fail, refreshTokenOverlapMs } from '@tessera/protocol';

const mainBranch = 'main';
const printable = /^[\x20-\x7e]+$/;

/** The project of an OAuth client id: a project id, or one with `#` and a branch (tokens-and-sessions.md 8). */
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

/** Whether a token that has been exchanged may still be the answer to a request that was repeated (control 25). */
export function isRepetition(rotatedAtMillis: number, nowMillis: number): boolean {
  return nowMillis - rotatedAtMillis <= refreshTokenOverlapMs;
}

/** A lifetime that a caller asks for: fractions of a millisecond are dropped, and less than nothing is nothing. */
export function wholeLifetime(askedMs: number | undefined): number | undefined {
  return askedMs === undefined ? undefined : Math.max(0, Math.floor(askedMs));
}
