import type { Context } from '../../app/context.ts';
import type { Caught } from '../../errors/known-errors.ts';
import { resultOf } from '../../errors/known-result.ts';
import type { Result } from '../../errors/result.ts';
import { finishSignIn, landingOf } from './finish.ts';
import { mfaAttemptKey } from './second-factor.ts';

/** The second step of a sign-in. */
export interface MfaMethods {
  /**
   * Finishes a sign-in with the six digits of an authenticator app, then goes to `urls.afterSignIn`, or for a new
   * account to `urls.afterSignUp`. A wrong number does not end the attempt.
   *
   * @param code the attempt: what the sign-in left in the tab's `sessionStorage` under `stack_mfa_attempt_code`.
   * @throws when the server cannot be reached.
   */
  signInWithMfa(
    totp: string,
    code: string,
    options?: {
      /** Stay on the page after success. */
      noRedirect?: boolean;
    },
  ): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'> | Caught<'INVALID_TOTP_CODE'>>>;
}

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
