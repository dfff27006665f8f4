import { callbackUrl as callbackUrlFor } from '../../callback-url.ts';
import type { Context } from '../../context.ts';
import { resultOf } from '../../known-result.ts';
import { finishSignIn } from './finish.ts';
import type { PasswordMethods } from './password.ts';
import { orSecondFactor } from './second-factor.ts';

type SignInOptions = Parameters<PasswordMethods['signInWithCredential']>[0];
type SignUpOptions = Parameters<PasswordMethods['signUpWithCredential']>[0];

export function passwordFlow(ctx: Context<'client'>): PasswordMethods {
  async function signIn({ email, password, noRedirect }: SignInOptions): Promise<undefined> {
    const session = await ctx.sessions.of();
    const call = ctx.call('POST /auth/password/sign-in', { body: { email, password }, session });
    await finishSignIn(ctx, await orSecondFactor(ctx, call), { page: 'afterSignIn', noRedirect });
  }

  async function signUp(options: SignUpOptions): Promise<undefined> {
    const { email, password, noRedirect } = options;
    const verificationCallbackUrl =
      options.verificationCallbackUrl ?? callbackUrlFor(ctx, 'emailVerification', 'verificationCallbackUrl');
    // With the session of an anonymous user, that user becomes the new account.
    const signedUp = await ctx.call('POST /auth/password/sign-up', {
      body: { email, password, verification_callback_url: verificationCallbackUrl },
      session: await ctx.sessions.of(),
    });
    await finishSignIn(ctx, signedUp, { page: 'afterSignUp', noRedirect });
  }

  return {
    signInWithCredential: options => resultOf(signIn(options), ['EMAIL_PASSWORD_MISMATCH', 'INVALID_TOTP_CODE']),
    signUpWithCredential: options =>
      resultOf(signUp(options), ['USER_EMAIL_ALREADY_EXISTS', 'PASSWORD_REQUIREMENTS_NOT_MET']),
  };
}
