import type { Caught } from '../known-errors.ts';
import type { Result } from '../result.ts';

/** Choosing another password by mail. */
export interface PasswordResetMethods {
  /**
   * Sends a mail with a link, if there is an account with this address. The answer is the same if there is none, so the
   * error does not occur in practice.
   *
   * @throws when the project does not offer passwords or does not trust the address of the page, or the server cannot
   *   be reached.
   */
  sendForgotPasswordEmail(
    email: string,
    options?: {
      /** Where the link leads. Default: `urls.passwordReset`; needed on a server. */
      callbackUrl?: string;
    },
  ): Promise<Result<undefined, Caught<'USER_NOT_FOUND'>>>;

  /**
   * Sets another password with the code of the link, and uses the code up. All sessions of the user end.
   *
   * @throws when the password does not fit the rules (the code is used up all the same), or the server cannot be
   *   reached.
   */
  resetPassword(options: { code: string; password: string }): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;

  /** Looks whether a code is good, without using it up. @throws when the server cannot be reached. */
  verifyPasswordResetCode(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;
}
