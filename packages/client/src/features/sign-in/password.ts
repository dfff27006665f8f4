import type { Caught } from '../../known-errors.ts';
import type { Result } from '../../result.ts';

/** Signing up and in with e-mail address and password. */
export interface PasswordMethods {
  /**
   * Signs in, then goes to `urls.afterSignIn`. A user with a second factor is sent to `urls.mfa` instead.
   *
   * @throws when the project does not offer passwords, or the server cannot be reached.
   */
  signInWithCredential(options: {
    email: string;
    password: string;
    /** Stay on the page after success. */
    noRedirect?: boolean;
  }): Promise<Result<undefined, Caught<'EMAIL_PASSWORD_MISMATCH'> | Caught<'INVALID_TOTP_CODE'>>>;

  /**
   * Opens an account and signs it in, then goes to `urls.afterSignUp`.
   *
   * @throws when the project does not offer passwords or takes no new accounts, or the server cannot be reached.
   */
  signUpWithCredential(options: {
    email: string;
    password: string;
    /** Stay on the page after success. */
    noRedirect?: boolean;
    /** Where the link in the verification e-mail leads. Default: `urls.emailVerification`; needed on a server. */
    verificationCallbackUrl?: string;
  }): Promise<Result<undefined, Caught<'USER_EMAIL_ALREADY_EXISTS'> | Caught<'PASSWORD_REQUIREMENTS_NOT_MET'>>>;
}
