import type { Context } from '../../app/context.ts';
import { defect } from '../../errors/defect.ts';
import { loadErrors } from '../../errors/known-errors.ts';

/** Where the second step of a sign-in finds the attempt that it belongs to. */
export const mfaAttemptKey = 'stack_mfa_attempt_code';

/**
 * Waits for a sign-in. When the user has a second factor, keeps the attempt for this tab and goes to `urls.mfa`.
 *
 * @throws when that page cannot be gone to.
 */
export async function orSecondFactor<T>(ctx: Context<'client'>, signIn: Promise<T>): Promise<T> {
  try {
    return await signIn;
  } catch (error) {
    const { isKnown } = await loadErrors();
    if (!isKnown(error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')) throw error;
    ctx.platform.page?.tabStorage.setItem(mfaAttemptKey, error.details.attempt_code);
    await ctx.navigation.toPage('mfa');
    // The cause holds the code of the attempt: a program without pages passes it to `signInWithMfa`.
    throw defect('The redirect to the MFA page returned.', error);
  }
}
