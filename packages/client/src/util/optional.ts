/** The fields of an object, each of which may be absent or undefined, also with `exactOptionalPropertyTypes`. */
export type Optional<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };
