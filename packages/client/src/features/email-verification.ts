import type { Caught } from '../known-errors.ts';
import type { Result } from '../result.ts';

/** Verifying e-mail addresses. */
export interface EmailVerificationMethods {
  /**
   * Verifies the address that a code was sent to, and uses the code up. Nobody needs to be signed in; whoever is, is
   * fetched again afterwards.
   *
   * @throws when the server cannot be reached, or the code is not one in form.
   */
  verifyEmail(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;
}
