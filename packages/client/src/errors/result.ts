/** The outcome of an operation that may fail in an expected way. */
export type Result<Data, Failure = unknown> = Ok<Data> | Failed<Failure>;

/** A successful outcome. */
export interface Ok<Data> {
  /** Distinguishes the two outcomes. */
  readonly status: 'ok';
  /** The value. */
  readonly data: Data;
}

/** A failed outcome. */
export interface Failed<Failure> {
  /** Distinguishes the two outcomes. */
  readonly status: 'error';
  /** The reason. */
  readonly error: Failure;
}

export function ok<Data>(data: Data): Ok<Data> {
  return { status: 'ok', data };
}

export function failed<Failure>(error: Failure): Failed<Failure> {
  return { status: 'error', error };
}

/** Converts a promise to its outcome. */
export function toResult<Data>(promise: Promise<Data>): Promise<Result<Data>> {
  return promise.then(ok, failed);
}

/** Returns the data, or throws the error. */
export function orThrow<Data>(result: Result<Data>): Data {
  if (result.status === 'error') throw result.error;
  return result.data;
}
