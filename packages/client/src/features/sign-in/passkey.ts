import type { Caught } from '../../known-errors.ts';
import type { Result } from '../../result.ts';

/** How to ask for a passkey. */
export interface PasskeySignInOptions {
  /**
   * Offer passkeys where the browser fills in forms, instead of in a window of their own: the page then needs an input
   * whose `autocomplete` ends with `webauthn`. Stays open until the user chooses one, or another prompt opens.
   */
  readonly autofill?: boolean;
  /** Takes the prompt away. */
  readonly signal?: AbortSignal;
  /** Stay on the page after success. */
  readonly noRedirect?: boolean;
}

/** Signing in with a passkey. */
export interface PasskeyMethods {
  /**
   * Asks for a passkey and signs in with it, then goes to `urls.afterSignIn`. A user with a second factor is sent to
   * `urls.mfa` instead. One prompt at a time: a new one takes an older one away, which then fails with
   * `PASSKEY_WEBAUTHN_ERROR` and the code `ERROR_CEREMONY_ABORTED`.
   *
   * @throws when the project or the browser does not offer passkeys, or the server cannot be reached.
   */
  signInWithPasskey(
    options?: PasskeySignInOptions,
  ): Promise<
    Result<
      undefined,
      Caught<'PASSKEY_AUTHENTICATION_FAILED'> | Caught<'INVALID_TOTP_CODE'> | Caught<'PASSKEY_WEBAUTHN_ERROR'>
    >
  >;
}
