import type { Result } from '../errors/result.ts';

/** The React view of one value. */
export interface Reader<T> {
  /**
   * Calls the listener when the value changes. Fetches when there is no value. The value is removed five seconds after
   * the last unsubscribe.
   *
   * @returns the undo.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** The stored value or failure; undefined when there is none. The same object until it changes. */
  readonly peek: () => Result<T> | undefined;
  /** Resolves when `peek` returns a result. The same promise while pending. It never rejects. */
  readonly promise: () => Promise<Result<T>>;
  /** Fetches again, e.g. after a failure. */
  readonly refresh: () => Promise<Result<T>>;
  /**
   * Removes a failure, so that the next read fetches again, e.g. when an error boundary resets. A failure without
   * listeners is removed after five seconds.
   */
  readonly forgetFailure: () => void;
}
