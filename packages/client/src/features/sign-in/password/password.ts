import type { Context } from '../../../app/context.ts';
import type { Caught } from '../../../errors/known-errors.ts';
import { resultOf } from '../../../errors/known-result.ts';
import type { Result } from '../../../errors/result.ts';
import { callbackUrl as callbackUrlFor } from '../../../navigation/callback-url.ts';
import { finishSignIn } from '../finish.ts';
import { handleSecondFactor, type SecondFactorOption } from '../second-factor/second-factor.ts';

/** Sign-up and sign-in with email address and password. */
export interface PasswordMethods {
  /**
   * Signs in, then goes to `urls.afterSignIn`. A user with a second factor is sent to `urls.mfa` instead.
   *
   * @throws when the project does not offer passwords, or the server cannot be reached.
   */
  signInWithCredential(
    options: {
      email: string;
      password: string;
      /** Stay on the page after success. */
      noRedirect?: boolean | undefined;
    } & SecondFactorOption,
  ): Promise<Result<undefined, Caught<'EMAIL_PASSWORD_MISMATCH'> | Caught<'INVALID_TOTP_CODE'>>>;

  /**
   * Opens an account and signs it in, then goes to `urls.afterSignUp`.
   *
   * @throws when the project does not offer passwords or takes no new accounts, or the server cannot be reached.
   */
  signUpWithCredential(options: {
    email: string;
    password: string;
    /** Stay on the page after success. */
    noRedirect?: boolean | undefined;
    /** Target of the link in the verification email. Default: `urls.emailVerification`; required on a server. */
    verificationCallbackUrl?: string | undefined;
    /**
     * Called before the redirect when the project asks for the code of the verification email. The code is the six
     * characters of the email, followed by `nonce`: pass it to `verifyEmail`. Default: the address is verified later.
     */
    onVerificationCode?: ((nonce: string) => Promise<void>) | undefined;
  }): Promise<Result<undefined, Caught<'USER_EMAIL_ALREADY_EXISTS'> | Caught<'PASSWORD_REQUIREMENTS_NOT_MET'>>>;

  /**
   * Creates the account that owns the installation, and signs it in. Only an app of the project `internal` can do this,
   * and only while there is no owner.
   *
   * @throws when the code of the one-time link is used up or wrong, or the server refuses the address or password.
   * @example
   * await app.claimInstallation({ code, email: 'owner@example.com', password });
   */
  claimInstallation(options: {
    /** The code of the one-time link in the log of the server. */
    code: string;
    email: string;
    password: string;
    /** Stay on the page after success. */
    noRedirect?: boolean | undefined;
  }): Promise<void>;
}

type SignInOptions = Parameters<PasswordMethods['signInWithCredential']>[0];
type SignUpOptions = Parameters<PasswordMethods['signUpWithCredential']>[0];

export function passwordFlow(ctx: Context<'client'>): PasswordMethods {
  async function signIn({ email, password, noRedirect, ...second }: SignInOptions): Promise<undefined> {
    const session = await ctx.sessions.of();
    const call = ctx.call('POST /auth/password/sign-in', { body: { email, password }, session });
    await finishSignIn(ctx, await handleSecondFactor(ctx, call, second), { page: 'afterSignIn', noRedirect });
  }

  async function signUp(options: SignUpOptions): Promise<undefined> {
    const { email, password, noRedirect = false, onVerificationCode } = options;
    const verificationCallbackUrl =
      options.verificationCallbackUrl ?? callbackUrlFor(ctx, 'emailVerification', 'verificationCallbackUrl');
    // With the session of an anonymous user, that user becomes the new account.
    const signedUp = await ctx.call('POST /auth/password/sign-up', {
      body: { email, password, verification_callback_url: verificationCallbackUrl },
      session: await ctx.sessions.of(),
    });
    await finishSignIn(ctx, signedUp, { page: 'afterSignUp', noRedirect: true });
    if (signedUp.email_verification_nonce !== undefined) await onVerificationCode?.(signedUp.email_verification_nonce);
    if (!noRedirect) await ctx.navigation.toPage('afterSignUp', { replace: true });
  }

  return {
    async claimInstallation({ noRedirect, ...body }) {
      const session = await ctx.sessions.of();
      const signedUp = await ctx.call('POST /extensions/first-owner', { body, session });
      await finishSignIn(ctx, signedUp, { page: 'afterSignUp', noRedirect });
    },
    signInWithCredential: options => resultOf(signIn(options), ['EMAIL_PASSWORD_MISMATCH', 'INVALID_TOTP_CODE']),
    signUpWithCredential: options =>
      resultOf(signUp(options), ['USER_EMAIL_ALREADY_EXISTS', 'PASSWORD_REQUIREMENTS_NOT_MET']),
  };
}
