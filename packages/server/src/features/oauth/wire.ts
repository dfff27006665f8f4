import type { Refreshed } from '../sessions/index.ts';

/** RFC 6749 section 5.1 */
export function refreshedView({ accessToken, refreshToken }: Refreshed, lifetimeMs: number) {
  return {
    access_token: accessToken,
    // The refresh token changes only where the project rotates refresh tokens.
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    token_type: 'Bearer',
    expires_in: Math.floor(lifetimeMs / 1000),
    scope: 'legacy',
  } as const;
}

/** docs/contract/oauth.md#code-exchange: two members are sent in two spellings. */
export function exchangedView(
  tokens: { readonly accessToken: string; readonly refreshToken: string },
  { isNewUser, afterCallbackRedirectUrl }: { isNewUser: boolean; afterCallbackRedirectUrl: string | null },
  lifetimeMs: number,
) {
  return {
    ...refreshedView(tokens, lifetimeMs),
    refresh_token: tokens.refreshToken,
    is_new_user: isNewUser,
    newUser: isNewUser,
    after_callback_redirect_url: afterCallbackRedirectUrl,
    afterCallbackRedirectUrl,
  };
}
