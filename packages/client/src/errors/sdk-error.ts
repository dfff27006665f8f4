/**
 * Codes of `SdkError`. `NOT_SIGNED_IN`: a user is required and no user is signed in. `CONNECTION_MISSING`: the user has
 * no connected account of the provider with the requested scopes. `INVALID_METADATA`: metadata does not fit its schema.
 */
export type SdkErrorCode = 'NOT_SIGNED_IN' | 'CONNECTION_MISSING' | 'INVALID_METADATA';

/**
 * An error that the SDK raises without a response of the server.
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

  /** Constructed by the SDK. */
  constructor(code: SdkErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
