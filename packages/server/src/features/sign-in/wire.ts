import type { Tokens } from '../sessions/index.ts';

/** The response of a sign-in (docs/contract/sign-in-methods.md#password). */
export function signInResponse(userId: string, { accessToken, refreshToken }: Tokens) {
  return { access_token: accessToken, refresh_token: refreshToken, user_id: userId };
}
