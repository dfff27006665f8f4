import { accessTokenLeftForRequestMs, refreshTokenOverlapMs } from '@tessera/protocol/limits';
import type { LiveTokens, Refreshable } from './session.ts';
import type { Tokens } from './tokens.ts';
import { expiresAtMs, idOf } from './tokens.ts';

/** Half of the time in which the server accepts a replaced token again: the request also takes time. */
const repeatableMs = refreshTokenOverlapMs / 2;

/** What to do for new tokens. */
export type RefreshPlan =
  /** Another tab got them already. */
  | { readonly take: LiveTokens }
  /** Ask the server with this refresh token. */
  | { readonly send: string }
  /** Send this token: its response names the session. If that is another session, send the own token. */
  | { readonly learn: string }
  /** The store holds another refresh token, and it is not known whether it belongs to the same session. */
  | 'replaced';

/**
 * Decides how a session gets new tokens, while no other tab that shares the store refreshes. A refresh token that was
 * rotated out must not be sent: a server that sees it again takes it for stolen and ends the session.
 */
export function planRefresh(own: Refreshable, found: Tokens, nowMs: number): RefreshPlan {
  const { accessToken, refreshToken } = found;
  // Signed out elsewhere, or the cookies are gone: the server knows which.
  if (refreshToken === null || refreshToken === own.refreshToken) {
    return tokensToTake(own, found, nowMs) ?? { send: own.refreshToken };
  }
  if (idOf('refreshTokenId', own.lastAccessToken) === undefined) {
    return nowMs - own.seenAtMs < repeatableMs ? { send: own.refreshToken } : 'replaced';
  }
  if (accessToken === null) return { learn: refreshToken };
  if (!isSameSession(own, accessToken)) return { send: own.refreshToken };
  return tokensToTake(own, found, nowMs) ?? { send: refreshToken };
}

/** Whether an access token belongs to the session, as far as both name it. */
export function isSameSession(own: Refreshable, accessToken: string | null): boolean {
  const id = idOf('refreshTokenId', own.lastAccessToken);
  return id !== undefined && id === idOf('refreshTokenId', accessToken);
}

/** Whether the store has got other tokens of the same session while this refresh token was on its way. */
export function wasOvertaken(own: Refreshable, sent: string, { accessToken, refreshToken }: Tokens): boolean {
  return refreshToken !== null && refreshToken !== sent && isSameSession(own, accessToken);
}

function tokensToTake(own: Refreshable, { accessToken, refreshToken }: Tokens, nowMs: number) {
  if (refreshToken === null || accessToken === null || accessToken === own.lastAccessToken) return undefined;
  return expiresAtMs(accessToken) - nowMs >= accessTokenLeftForRequestMs
    ? { take: { accessToken, refreshToken } }
    : undefined;
}
