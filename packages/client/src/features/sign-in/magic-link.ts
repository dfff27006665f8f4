import type { Caught } from '../../known-errors.ts';
import type { Result } from '../../result.ts';

/** Signing in with a code, or a link, that is sent by mail. */
export interface MagicLinkMethods {
  /**
   * Sends a mail with a link and a code of six characters. An address without an account gets one at sign-in.
   *
   * @returns a nonce: the typed code followed by it is the whole code for {@link signInWithMagicLink}.
   * @throws when the project does not offer this, takes no new accounts, or has an account with this address that was
   *   never verified; or when the server cannot be reached.
   */
  sendMagicLinkEmail(
    email: string,
    options?: {
      /** Where the link leads. Default: `urls.magicLinkCallback`; needed on a server. */
      callbackUrl?: string;
    },
  ): Promise<Result<{ nonce: string }, Caught<'REDIRECT_URL_NOT_WHITELISTED'>>>;

  /**
   * Signs in with the whole code, in any letter case, then goes to `urls.afterSignIn`, or for a new account to
   * `urls.afterSignUp`. A user with a second factor is sent to `urls.mfa` instead.
   *
   * @throws when the server cannot be reached.
   */
  signInWithMagicLink(
    code: string,
    options?: {
      /** Stay on the page after success. */
      noRedirect?: boolean;
    },
  ): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'> | Caught<'INVALID_TOTP_CODE'>>>;
}
