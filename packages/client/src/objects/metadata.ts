import { SdkError } from '../errors/sdk-error.ts';

/**
 * A schema of any library that follows the Standard Schema specification, version 1: Zod, Valibot, ArkType and others.
 * Only the part that a check needs.
 *
 * @example
 * const schema: StandardSchema<{ theme?: string }> = z.object({ theme: z.string().optional() });
 */
export interface StandardSchema<Output = unknown> {
  /** The interface of the specification. */
  readonly '~standard': {
    /** The version of the specification. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

/** What a Standard Schema finds: a value, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where it is: keys from the outside to the inside. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Checks metadata with a schema of your own. The types of `Register` promise a shape, but an older version of your app, or a
 * user, may have written another one.
 *
 * @returns the value as the schema returns it, e.g. with its defaults.
 * @throws SdkError `INVALID_METADATA`; the message names the keys that are wrong, and quotes no value.
 * @example
 * const { theme } = await parseMetadata(themeSchema, user.clientMetadata);
 */
export async function parseMetadata<Output>(schema: StandardSchema<Output>, metadata: unknown): Promise<Output> {
  const result = await schema['~standard'].validate(metadata);
  if (result.issues === undefined) return result.value;
  const keys = result.issues.map(({ path = [] }) => path.map(nameOf).join('.') || 'the value');
  throw new SdkError('INVALID_METADATA', `The metadata does not fit its schema at: ${[...new Set(keys)].join(', ')}.`);
}

function nameOf(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step);
}
