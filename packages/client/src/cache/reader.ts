import type { Result } from '../errors/result.ts';

/** One value, as React sees it. */
export interface Reader<T> {
  /**
   * Calls the listener when the value changes, and fetches when there is none. Five seconds after the last listener
   * has gone the value is forgotten.
   *
   * @returns the undo.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** The value or the failure, if there is one already. The same object until it changes. */
  readonly peek: () => Result<T> | undefined;
  /** Resolves when there is something to peek at. The same promise while it is pending. It never rejects. */
  readonly promise: () => Promise<Result<T>>;
  /** Fetches again, e.g. after a failure. */
  readonly refresh: () => Promise<Result<T>>;
  /**
   * Removes a failure, so that the next read fetches again: for an error boundary that is reset. A failure that no
   * listener watches is removed after five seconds.
   */
  readonly forgetFailure: () => void;
}
