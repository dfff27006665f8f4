/** Any JSON value. Keys whose value is undefined are omitted on the wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** The types of a detail, as a row names them. */
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
  /** The only type of contact channels. */
  email: 'email';
}

/** One error of the catalogue, as data (docs/contract/errors.md#catalogue). The code is the key of the row. */
export interface Row {
  /** HTTP status. A row without one is a parent: it groups other codes for catching and is never raised. */
  readonly status?: number;
  /** The code of the parent row, which catches this one as well. */
  readonly parent?: string;
  /** Class name, when it differs from the code. */
  readonly name?: string;
  /**
   * The constructor arguments. A list: one `key: kind` per argument, in order; the details are an object of these keys.
   * `message`: only the text, without details. `json`: one optional argument, which is the details.
   */
  readonly args?: readonly `${string}: ${keyof DetailKinds}`[] | 'message' | 'json';
}

/** Rows by code. */
export type Family = Readonly<Record<string, Row>>;
