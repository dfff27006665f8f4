import { isKnownError } from '@tessera/protocol/error-code';
import type { KnownErrors } from '@tessera/protocol/errors';

type Classes = (typeof KnownErrors)[keyof typeof KnownErrors];

/** The code of a known error or of a family of errors. */
export type KnownCode = Classes['errorCode'];

/** The errors with a code or in its family. */
export type Caught<C extends KnownCode> = Classes extends infer Class
  ? Class extends { errorCode: C; isInstance(value: unknown): value is infer Instance }
    ? Instance
    : never
  : never;

/** Loads the error catalogue, a quarter of the SDK. It is a lazy chunk because most pages never need it. */
export const loadErrors = () => import('@tessera/protocol/errors');

/**
 * Whether an error has one of these codes, or a code in their families. The catalogue is not loaded for other errors: an
 * offline page cannot load it, and that failure would replace the error of the request.
 */
export async function isOneOf(error: unknown, codes: readonly KnownCode[]): Promise<boolean> {
  if (!isKnownError(error)) return false;
  const { isKnown } = await loadErrors();
  // `isKnown` takes one code; the type for several codes is the union.
  return codes.some(code => isKnown(error, code));
}
