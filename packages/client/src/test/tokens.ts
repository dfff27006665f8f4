let count = 0;

/** An access token that says when it ends, and which session it belongs to if that matters; each one is different. */
export function accessToken(lifeMs = 600_000, sessionId?: string): string {
  count++;
  const claims = { sub: 'user', jti: count, refreshTokenId: sessionId, exp: (Date.now() + lifeMs) / 1000 };
  return `head.${btoa(JSON.stringify(claims))}.signature`;
}
