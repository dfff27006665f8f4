import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';
import { callbackUrl as callbackUrlFor } from '../../navigation/callback-url.ts';
import { finishSignIn, landingOf } from './finish.ts';
import { handleSecondFactor, type SecondFactorOption } from './second-factor/second-factor.ts';

/** Sign-in with an emailed code or link. */
export interface MagicLinkMethods {
  /**
   * Sends an email with a link and a code of six characters. A new email address gets an account at sign-in.
   *
   * @returns a nonce: the typed code followed by it is the whole code for {@link signInWithMagicLink}.
   * @throws when the project does not offer this, takes no new accounts, or has an account with this address that was
   *   never verified; or when the server cannot be reached.
   */
  sendMagicLinkEmail(
    email: string,
    options?: {
      /** Where the link leads. Default: `urls.magicLinkCallback`; needed on a server. */
      callbackUrl?: string | undefined;
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
    options?: MagicLinkSignInOptions,
  ): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'> | Caught<'INVALID_TOTP_CODE'>>>;
}

/** Options of `signInWithMagicLink`. */
export interface MagicLinkSignInOptions extends SecondFactorOption {
  /** Stay on the page after success. */
  readonly noRedirect?: boolean | undefined;
}

export function magicLinkFlow(ctx: Context<'client'>): MagicLinkMethods {
  async function send(email: string, callbackUrl: string | undefined): Promise<{ nonce: string }> {
    const callback_url = callbackUrl ?? callbackUrlFor(ctx, 'magicLinkCallback', 'callbackUrl');
    return ctx.call('POST /auth/otp/send-sign-in-code', { body: { email, callback_url }, session: null });
  }

  async function signIn(code: string, { noRedirect, ...second }: MagicLinkSignInOptions): Promise<undefined> {
    // With the session of an anonymous user, that user becomes the new account.
    const session = await ctx.sessions.of();
    const call = ctx.call('POST /auth/otp/sign-in', { body: { code }, session });
    const signedIn = await handleSecondFactor(ctx, call, second);
    await finishSignIn(ctx, signedIn, { page: landingOf(signedIn), noRedirect });
  }

  return {
    sendMagicLinkEmail: (email, { callbackUrl } = {}) =>
      resultOf(send(email, callbackUrl), ['REDIRECT_URL_NOT_WHITELISTED']),
    signInWithMagicLink: (code, options = {}) =>
      resultOf(signIn(code, options), ['VERIFICATION_ERROR', 'INVALID_TOTP_CODE']),
  };
}
