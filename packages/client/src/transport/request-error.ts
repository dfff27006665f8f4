/** Why a request has no usable response. `unreachable` includes a server that answers 503 with Retry-After. */
export type RequestFailure = 'offline' | 'unreachable' | 'too-many-requests' | 'unexpected-answer';

interface RequestErrorOptions {
  readonly cause?: unknown;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly sentence?: string | undefined;
  readonly traceId?: string | undefined;
}

/**
 * A request without a usable response: no connection, a refusal without a code, or a failure of the server. The user
 * stays signed in.
 *
 * @example
 * if (error instanceof RequestError && error.reason === 'offline') showOfflineNotice();
 */
export class RequestError extends Error {
  /** Identifies the class where `instanceof` cannot, e.g. across frames. */
  override readonly name = 'RequestError';
  /** The kind of failure. */
  readonly reason: RequestFailure;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The time to wait before the next request, from Retry-After. */
  readonly retryAfterMs: number | undefined;
  /** The server's sentence for people, e.g. why a write was refused; undefined without one. */
  readonly sentence: string | undefined;
  /** Id of the request in the log of the server; undefined without a response. */
  readonly traceId: string | undefined;

  /** Made by the SDK. */
  constructor(reason: RequestFailure, message: string, options: RequestErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.reason = reason;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.sentence = options.sentence || undefined;
    this.traceId = options.traceId;
  }
}
