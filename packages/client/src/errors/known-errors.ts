import type { KnownErrors } from '@tessera/protocol/errors';

type Classes = (typeof KnownErrors)[keyof typeof KnownErrors];

/** A code of a known error, or of a family of them. */
export type KnownCode = Classes['errorCode'];

/** What is caught under a code: the errors of this code and of those below it. */
export type Caught<C extends KnownCode> = Classes extends infer Class
  ? Class extends { errorCode: C; isInstance(value: unknown): value is infer Instance }
    ? Instance
    : never
  : never;

/** The catalogue of errors, a quarter of the SDK, in a chunk of its own: most pages never meet one. */
export const loadErrors = () => import('@tessera/protocol/errors');
