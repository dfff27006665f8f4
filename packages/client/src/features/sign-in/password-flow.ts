import type { Context } from '../../context.ts';
import { resultOf } from '../../result.ts';
import { signInWithTokens } from './finish.ts';
import { orSecondFactor } from './mfa.ts';
import type { PasswordMethods } from './password.ts';

type SignInWithCredential = PasswordMethods['signInWithCredential'];
type SignUpWithCredential = PasswordMethods['signUpWithCredential'];
type SignInOptions = Parameters<SignInWithCredential>[0];
type SignUpOptions = Parameters<SignUpWithCredential>[0];

export function signInWithCredential(ctx: Context<'client'>, options: SignInOptions): ReturnType<SignInWithCredential> {
  return resultOf(signIn(ctx, options), ['EMAIL_PASSWORD_MISMATCH', 'INVALID_TOTP_CODE']);
}

export function signUpWithCredential(ctx: Context<'client'>, options: SignUpOptions): ReturnType<SignUpWithCredential> {
  return resultOf(signUp(ctx, options), ['USER_EMAIL_ALREADY_EXISTS', 'PASSWORD_REQUIREMENTS_NOT_MET']);
}

async function signIn(ctx: Context<'client'>, { email, password, noRedirect = false }: SignInOptions): Promise<void> {
  const call = ctx.call('POST /auth/password/sign-in', { body: { email, password }, session: ctx.sessions.of() });
  signInWithTokens(ctx, await orSecondFactor(ctx, call));
  if (!noRedirect) await ctx.navigation.toPage('afterSignIn', { replace: true });
}

async function signUp(ctx: Context<'client'>, options: SignUpOptions): Promise<void> {
  const { email, password, noRedirect = false } = options;
  const verificationCallbackUrl =
    options.verificationCallbackUrl ?? ctx.navigation.callbackUrl('emailVerification', 'verificationCallbackUrl');
  // With the session of an anonymous user, that user becomes the new account.
  const signedUp = await ctx.call('POST /auth/password/sign-up', {
    body: { email, password, verification_callback_url: verificationCallbackUrl },
    session: ctx.sessions.of(),
  });
  signInWithTokens(ctx, signedUp);
  if (!noRedirect) await ctx.navigation.toPage('afterSignUp', { replace: true });
}
