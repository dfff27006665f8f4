/** A server that accepts requests: this process, or several workers. */
export interface RunningServer {
  readonly port: number;
  /** @param how `isReplaced`: another process takes over the same port, so this one leaves without a grace period */
  stop(how?: { readonly isReplaced?: boolean }): Promise<void>;
  /** Resolves when the server has ended for a reason that a restart does not remove. Absent where that cannot happen. */
  readonly failed?: Promise<Error>;
}
