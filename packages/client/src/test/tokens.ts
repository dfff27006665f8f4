let count = 0;

/** An access token that says when it ends; each one is different. */
export function accessToken(lifeMs = 600_000): string {
  count++;
  const claims = { sub: 'user', jti: count, exp: (Date.now() + lifeMs) / 1000 };
  return `head.${btoa(JSON.stringify(claims))}.signature`;
}
