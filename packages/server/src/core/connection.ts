/** Properties of a connection that a `Request` does not have. */
export interface Connection {
  /** Address of the peer; undefined when there is no socket. */
  readonly peerAddress?: string;
}
