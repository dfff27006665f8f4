import { callbackUrl as callbackUrlFor } from '../../callback-url.ts';
import type { Context } from '../../context.ts';
import { resultOf } from '../../known-result.ts';
import { finishSignIn, landingOf } from './finish.ts';
import type { MagicLinkMethods } from './magic-link.ts';
import { orSecondFactor } from './second-factor.ts';

export function magicLinkFlow(ctx: Context<'client'>): MagicLinkMethods {
  async function send(email: string, callbackUrl: string | undefined): Promise<{ nonce: string }> {
    const callback_url = callbackUrl ?? callbackUrlFor(ctx, 'magicLinkCallback', 'callbackUrl');
    return ctx.call('POST /auth/otp/send-sign-in-code', { body: { email, callback_url }, session: null });
  }

  async function signIn(code: string, noRedirect: boolean | undefined): Promise<undefined> {
    // With the session of an anonymous user, that user becomes the new account.
    const session = await ctx.sessions.of();
    const signedIn = await orSecondFactor(ctx, ctx.call('POST /auth/otp/sign-in', { body: { code }, session }));
    await finishSignIn(ctx, signedIn, { page: landingOf(signedIn), noRedirect });
  }

  return {
    sendMagicLinkEmail: (email, { callbackUrl } = {}) =>
      resultOf(send(email, callbackUrl), ['REDIRECT_URL_NOT_WHITELISTED']),
    signInWithMagicLink: (code, { noRedirect } = {}) =>
      resultOf(signIn(code, noRedirect), ['VERIFICATION_ERROR', 'INVALID_TOTP_CODE']),
  };
}
