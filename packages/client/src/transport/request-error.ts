/** Why a request has no usable answer. */
export type RequestFailure = 'offline' | 'unreachable' | 'too-many-requests' | 'unexpected-answer';

/** A request that got no usable answer. Whoever is signed in stays signed in. */
export class RequestError extends Error {
  /** Tells it apart where `instanceof` cannot, e.g. across frames. */
  override readonly name = 'RequestError';
  /** Why there is no usable answer. */
  readonly reason: RequestFailure;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | undefined;

  /** Made by the SDK. */
  constructor(
    reason: RequestFailure,
    message: string,
    options: { cause?: unknown; status?: number; retryAfterMs?: number } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.reason = reason;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}
