import { type Caught, isOneOf, type KnownCode } from './known-errors.ts';
import { failed, ok, type Result } from './result.ts';

/** Converts errors with these codes, or in their families, to a result. Other errors are thrown. */
export async function resultOf<Data, const C extends KnownCode>(
  promise: Promise<Data>,
  codes: readonly C[],
): Promise<Result<Data, Caught<C>>> {
  try {
    return ok(await promise);
  } catch (error) {
    if (await isOneOf(error, codes)) return failed(error as Caught<C>);
    throw error;
  }
}

/** The error when it has one of these codes, or undefined on success. Other errors are thrown. */
export async function errorOf<const C extends KnownCode>(
  promise: Promise<unknown>,
  codes: readonly C[],
): Promise<Caught<C> | undefined> {
  const result = await resultOf(promise, codes);
  return result.status === 'error' ? result.error : undefined;
}
