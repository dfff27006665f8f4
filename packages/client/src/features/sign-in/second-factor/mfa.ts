import type { Context } from '../../../app/context.ts';
import type { Caught } from '../../../errors/known-errors.ts';
import { resultOf } from '../../../errors/known-result.ts';
import type { Result } from '../../../errors/result.ts';
import { finishSignIn, landingOf } from '../finish.ts';
import { mfaAttemptKey } from './second-factor.ts';

type SecondFactorPassed = Parameters<typeof finishSignIn>[1] & Parameters<typeof landingOf>[0];

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
      noRedirect?: boolean | undefined;
    },
  ): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'> | Caught<'INVALID_TOTP_CODE'>>>;
}

/** The second step with a recovery code instead of the authenticator app. */
export interface RecoveryCodeSignInMethods {
  /**
   * Finishes a sign-in with a recovery code, which is used up, then goes to `urls.afterSignIn`, or for a new account to
   * `urls.afterSignUp`. A wrong one does not end the attempt.
   *
   * @param code the attempt, as for `signInWithMfa`.
   * @returns the number of recovery codes that are left.
   * @example
   * const result = await app.signInWithRecoveryCode('4f0k-9zqt-1m7c-h2vd', attemptCode);
   */
  signInWithRecoveryCode(
    recoveryCode: string,
    code: string,
    options?: {
      /** Stay on the page after success. */
      noRedirect?: boolean | undefined;
    },
  ): Promise<Result<{ readonly remaining: number }, Caught<'VERIFICATION_ERROR'> | Caught<'INVALID_RECOVERY_CODE'>>>;
}

export function mfaFlow(ctx: Context<'client'>): MfaMethods & RecoveryCodeSignInMethods {
  async function signIn(totp: string, code: string, noRedirect: boolean | undefined): Promise<undefined> {
    const signedIn = await ctx.call('POST /auth/mfa/sign-in', {
      body: { type: 'totp', totp, code },
      session: await ctx.sessions.of(),
    });
    await finish(signedIn, noRedirect);
  }

  async function recover(recovery_code: string, code: string, noRedirect: boolean | undefined) {
    const signedIn = await ctx.call('POST /extensions/recovery-codes/sign-in', {
      body: { recovery_code, code },
      session: await ctx.sessions.of(),
    });
    await finish(signedIn, noRedirect);
    return { remaining: signedIn.remaining };
  }

  async function finish(signedIn: SecondFactorPassed, noRedirect: boolean | undefined): Promise<void> {
    ctx.platform.page?.tabStorage.removeItem(mfaAttemptKey);
    await finishSignIn(ctx, signedIn, { page: landingOf(signedIn), noRedirect });
  }

  return {
    signInWithMfa: (totp, code, { noRedirect } = {}) =>
      resultOf(signIn(totp, code, noRedirect), ['VERIFICATION_ERROR', 'INVALID_TOTP_CODE']),
    signInWithRecoveryCode: (recoveryCode, code, { noRedirect } = {}) =>
      resultOf(recover(recoveryCode, code, noRedirect), ['VERIFICATION_ERROR', 'INVALID_RECOVERY_CODE']),
  };
}
