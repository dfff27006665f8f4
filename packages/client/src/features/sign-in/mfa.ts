import type { Caught } from '../../known-errors.ts';
import type { Result } from '../../result.ts';

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
