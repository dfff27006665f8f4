import type { Context } from '../../context.ts';
import { resultOf } from '../../known-result.ts';
import { finishSignIn, landingOf } from './finish.ts';
import type { MfaMethods } from './mfa.ts';
import { mfaAttemptKey } from './second-factor.ts';

export function mfaFlow(ctx: Context<'client'>): MfaMethods {
  async function signIn(totp: string, code: string, noRedirect: boolean | undefined): Promise<undefined> {
    const signedIn = await ctx.call('POST /auth/mfa/sign-in', {
      body: { type: 'totp', totp, code },
      session: await ctx.sessions.of(),
    });
    ctx.platform.page?.tabStorage.removeItem(mfaAttemptKey);
    await finishSignIn(ctx, signedIn, { page: landingOf(signedIn), noRedirect });
  }

  return {
    signInWithMfa: (totp, code, { noRedirect } = {}) =>
      resultOf(signIn(totp, code, noRedirect), ['VERIFICATION_ERROR', 'INVALID_TOTP_CODE']),
  };
}
