/** A pair of tokens. Without a refresh token the session ends with its access token. */
export interface Tokens {
  /** The token that is sent with requests; valid for minutes. Null when there is none. */
  readonly accessToken: string | null;
  /** The token that gets new access tokens, until the session ends. Null when there is none. */
  readonly refreshToken: string | null;
}

export const noTokens: Tokens = { accessToken: null, refreshToken: null };

export function isSameTokens(a: Tokens, b: Tokens): boolean {
  return a.accessToken === b.accessToken && a.refreshToken === b.refreshToken;
}

/**
 * When an access token ends, in milliseconds since 1970; not verified. Infinity when it has no end, 0 when it cannot
 * be read.
 */
export function expiresAtMs(accessToken: string): number {
  const claims = claimsOf(accessToken);
  if (claims === undefined) return 0;
  return typeof claims.exp === 'number' ? claims.exp * 1000 : Number.POSITIVE_INFINITY;
}

/**
 * The user (`sub`) or the session that an access token names, if any; not verified. The id of the session outlives
 * changes of the refresh token.
 */
export function idOf(name: 'sub' | 'refreshTokenId', accessToken: string | null): string | undefined {
  const id = claimsOf(accessToken ?? '')?.[name];
  return typeof id === 'string' ? id : undefined;
}

function claimsOf(token: string): { exp?: unknown; refreshTokenId?: unknown; sub?: unknown } | undefined {
  const payload = token.split('.')[1] ?? '';
  try {
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    // Not a token of ours: neither base64 nor JSON.
    return undefined;
  }
}
