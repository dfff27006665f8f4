/**
 * What an `SdkError` says: `NOT_SIGNED_IN`, a user was required and no user is signed in; `CONNECTION_MISSING`, the user
 * has no connected account of the provider with the scopes that were asked for.
 */
export type SdkErrorCode = 'NOT_SIGNED_IN' | 'CONNECTION_MISSING';

/**
 * A refusal that the SDK decides itself, without a response of the server.
 *
 * @example
 * try {
 *   await app.getUser({ or: 'throw' });
 * } catch (error) {
 *   if (error instanceof SdkError && error.code === 'NOT_SIGNED_IN') showSignIn();
 * }
 */
export class SdkError extends Error {
  /** Identifies the class where `instanceof` cannot, e.g. across frames. */
  override readonly name = 'SdkError';
  /** The reason. */
  readonly code: SdkErrorCode;

  /** Made by the SDK. */
  constructor(code: SdkErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
