/** What the server reads of the headers of a request; a global `Headers` is one. */
export interface HttpHeaders {
  /** The value of a header, or null; values of repeated headers are joined with `, `, those of `cookie` with `; `. */
  get(name: string): string | null;
  has(name: string): boolean;
  entries(): Iterable<[string, string]>;
}

/** How much of a body is read, in bytes. */
export interface BodyLimits {
  readonly maxBytes: number;
  /**
   * A body of up to this size is read to its end before it is refused: a client that is still writing when the
   * connection closes gets a reset instead of the response.
   */
  readonly discardMaxBytes: number;
}

/**
 * A request as the server reads it, from a socket or from a global `Request`. The classes of `fetch` are not used on the
 * path of a request, because Node loads 8 MB of code for them.
 */
export interface HttpRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: HttpHeaders;
  /**
   * Reads the body once. Returns undefined for one that is larger than `maxBytes`, and keeps none of it.
   *
   * @throws when the body does not arrive in full
   */
  readBody(limits: BodyLimits): Promise<Uint8Array | undefined>;
  /** Whether the client has closed the connection. The response cannot be delivered then. */
  hasLeft(): boolean;
}
