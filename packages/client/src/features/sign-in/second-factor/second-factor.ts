import { hasCode } from '@tessera/protocol/error-code';
import type { Context } from '../../../app/context.ts';

/** The key of the tab's storage with the attempt of the second step. */
export const mfaAttemptKey = 'stack_mfa_attempt_code';

/** What a sign-in does when the account has a second factor. */
export interface SecondFactorOption {
  /**
   * `page` goes to `urls.mfa`. `throw` stays on the page and throws the known error
   * `MULTI_FACTOR_AUTHENTICATION_REQUIRED`; its `details.attempt_code` is the attempt for `signInWithMfa`. Default `page`.
   */
  readonly secondFactor?: 'page' | 'throw' | undefined;
}

/**
 * Waits for a sign-in. When the user has a second factor, keeps the attempt for this tab and goes to `urls.mfa`.
 *
 * @throws the known error when the caller asks for the second factor itself; an error that names the next call when the app
 *   has no redirect to that page (`redirectMethod: 'none'`).
 */
export async function handleSecondFactor<T>(
  ctx: Context<'client'>,
  signIn: Promise<T>,
  { secondFactor = 'page' }: SecondFactorOption = {},
): Promise<T> {
  try {
    return await signIn;
  } catch (error) {
    if (!hasCode(error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')) throw error;
    ctx.platform.page?.tabStorage.setItem(mfaAttemptKey, error.details.attempt_code);
    if (secondFactor === 'throw') throw error;
    await ctx.navigation.toPage('mfa');
    throw new Error('A second factor is needed: pass error.cause.details.attempt_code to signInWithMfa.', {
      cause: error,
    });
  }
}
