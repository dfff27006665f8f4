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
