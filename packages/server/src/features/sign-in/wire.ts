import type { Tokens } from '../sessions/index.ts';

/** What a sign-in answers (sign-in-methods.md 3). */
export function signedIn(userId: string, { accessToken, refreshToken }: Tokens) {
  return { access_token: accessToken, refresh_token: refreshToken, user_id: userId };
}
