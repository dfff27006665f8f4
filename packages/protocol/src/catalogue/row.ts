/** Any value that JSON can carry. Keys whose value is undefined are left out when it is written. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** The words a row may use for the type of a detail. */
export interface DetailKinds {
  string: string;
  'string|null': string | null;
  'string[]': readonly string[];
  number: number;
  /** Milliseconds since 1970 in the details, a Date as constructor argument. */
  'millis|null': number | null;
  'Json[]': readonly Json[];
  level: 'client' | 'server' | 'admin';
  scope: 'team' | 'project';
  'scope|null': 'team' | 'project' | null;
  /** The only type of contact channel there is. */
  email: 'email';
}

/** One error of the catalogue, as plain data (docs/contract/errors.md#catalogue). The code is the row's key. */
export interface Row {
  /** HTTP status. A row without one is a parent: it groups others for catching and is never raised. */
  readonly status?: number;
  /** Code of the row that catches this one too. */
  readonly parent?: string;
  /** Class name, when it does not follow from the code. */
  readonly name?: string;
  /**
   * What the class is constructed from. A list: one `key: kind` per argument, in order, and the details are an object
   * of these keys. `message`: the text alone, without details. `json`: one optional argument that is the details.
   */
  readonly args?: readonly `${string}: ${keyof DetailKinds}`[] | 'message' | 'json';
}

/** Rows by code. */
export type Family = Readonly<Record<string, Row>>;
