import { type Caught, type KnownCode, loadErrors } from './known-errors.ts';

/** The outcome of something that may fail in an expected way. */
export type Result<Data, Failure = unknown> = Ok<Data> | Failed<Failure>;

/** It went well. */
export interface Ok<Data> {
  readonly status: 'ok';
  readonly data: Data;
}

/** It failed. */
export interface Failed<Failure> {
  readonly status: 'error';
  readonly error: Failure;
}

export function ok<Data>(data: Data): Ok<Data> {
  return { status: 'ok', data };
}

export function failed<Failure>(error: Failure): Failed<Failure> {
  return { status: 'error', error };
}

/** The outcome of a promise, whatever it fails with. */
export function settled<Data>(promise: Promise<Data>): Promise<Result<Data>> {
  return promise.then(ok, failed);
}

/** The data, or the error thrown. */
export function orThrow<Data>(result: Result<Data>): Data {
  if (result.status === 'error') throw result.error;
  return result.data;
}

/** Turns the errors of these codes, and of those below them, into a result; others stay thrown. */
export async function resultOf<const C extends KnownCode>(
  promise: Promise<void>,
  codes: readonly C[],
): Promise<Result<undefined, Caught<C>>> {
  try {
    await promise;
    return ok(undefined);
  } catch (error) {
    const { isKnown } = await loadErrors();
    // The type of an error that has one of several codes is the union over them, which isKnown cannot say.
    if (codes.some(code => isKnown(error, code))) return failed(error as Caught<C>);
    throw error;
  }
}
