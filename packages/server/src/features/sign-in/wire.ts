import type { Tokens } from '../sessions/index.ts';

/** What a sign-in answers (docs/contract/sign-in-methods.md#password). */
export function signedIn(userId: string, { accessToken, refreshToken }: Tokens) {
  return { access_token: accessToken, refresh_token: refreshToken, user_id: userId };
}
