import { type Caught, type KnownCode, loadErrors } from './known-errors.ts';
import { failed, ok, type Result } from './result.ts';

/** Turns the errors of these codes, and of those below them, into a result; others stay thrown. */
export async function resultOf<Data, const C extends KnownCode>(
  promise: Promise<Data>,
  codes: readonly C[],
): Promise<Result<Data, Caught<C>>> {
  try {
    return ok(await promise);
  } catch (error) {
    const { isKnown } = await loadErrors();
    // The type of an error that has one of several codes is the union over them, which isKnown cannot say.
    if (codes.some(code => isKnown(error, code))) return failed(error as Caught<C>);
    throw error;
  }
}

/** The error, when it is one of these codes or below them; undefined when all went well. Others stay thrown. */
export async function errorOf<const C extends KnownCode>(
  promise: Promise<unknown>,
  codes: readonly C[],
): Promise<Caught<C> | undefined> {
  const result = await resultOf(promise, codes);
  return result.status === 'error' ? result.error : undefined;
}
