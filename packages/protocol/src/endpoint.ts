import type * as z from 'zod';
import type { AccessLevel, Leveled, PerLevel } from './access.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * An endpoint, as data. Route, validation, answer check, typed handler, the client's typed call, the OpenAPI document
 * and the authorization matrix are all derived from it.
 */
export interface Endpoint {
  readonly method: Method;
  /** Below `/api/v1`; parameters in braces: `/users/{user_id}`. */
  readonly path: `/${string}`;
  /** Lowest access level; `none` when no access type is needed (one that is sent is checked all the same). */
  readonly access: AccessLevel | 'none';
  /**
   * `required`: without a signed-in user the request does not fit its schema
   * (docs/contract/envelope.md#the-user-of-the-request).
   */
  readonly user?: 'required';
  /** Takes the access token of a session that has ended; every other endpoint refuses it with ACCESS_TOKEN_EXPIRED. */
  readonly acceptsEndedSession?: true;
  /** Path parameters; must name exactly those of `path`. */
  readonly params?: z.ZodObject;
  /** Absent: whatever query comes is ignored. */
  readonly query?: Leveled<z.ZodObject>;
  /** Headers that the handler reads, by lower-case name. */
  readonly headers?: z.ZodObject;
  /** Absent: whatever body comes is ignored. */
  readonly body?: Leveled<z.ZodType>;
  /** The body is not even parsed: other programs send any type. */
  readonly ignoresBody?: true;
  readonly response: Leveled<z.ZodType>;
  /** Default `json`. `json-lines`: `response` describes one of any number of lines. */
  readonly produces?: 'json' | 'text' | 'html' | 'json-lines' | 'webp';
  /** Default 200. */
  readonly status?: 200 | 201;
  /** Default `no-store, max-age=0`. */
  readonly cacheControl?: string;
  readonly summary: string;
  readonly tag: Tag;
  /** Known errors of its own; those of the envelope go without saying. */
  readonly errors: readonly ErrorCode[];
}

/** `extension` marks what the July 2025 contract does not have. */
export type Tag =
  | 'Service'
  | 'Sign-in'
  | 'Sessions'
  | 'Users'
  | 'Contact channels'
  | 'Teams'
  | 'Permissions'
  | 'API keys'
  | 'E-mails'
  | 'Projects'
  | 'Webhooks'
  | 'extension';

/** Declares an endpoint; the literal types are kept, so that everything derived from it is exact. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration;
}

/** `GET /users/me`: the name by which an endpoint is called. */
export type RouteOf<E extends Pick<Endpoint, 'method' | 'path'>> = `${E['method']} ${E['path']}`;

/** A part of a declaration, `undefined` where it declares none. */
type Part<E, K extends string> = K extends keyof E ? E[K] : undefined;

/** The schema that holds at level `L`: the type twin of `atLevel`. */
type SchemaAt<S, L extends AccessLevel> =
  S extends PerLevel<z.ZodType>
    ? L extends 'client'
      ? S extends { client: infer C }
        ? C
        : S['server']
      : L extends 'admin'
        ? S extends { admin: infer A }
          ? A
          : S['server']
        : S['server']
    : S;

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler is given. Bodies are typed as at the highest level: lower ones hold a part of its keys. */
export interface Input<E extends Endpoint> {
  params: OutputOf<Part<E, 'params'>>;
  query: OutputOf<SchemaAt<Part<E, 'query'>, 'admin'>>;
  headers: OutputOf<Part<E, 'headers'>>;
  body: OutputOf<SchemaAt<Part<E, 'body'>, 'admin'>>;
}

/** What a handler answers: the object of one of the levels. */
export type Answer<E extends Endpoint> =
  | OutputOf<SchemaAt<E['response'], 'client'>>
  | OutputOf<SchemaAt<E['response'], 'server'>>
  | OutputOf<SchemaAt<E['response'], 'admin'>>;

type Given<Key extends string, S> = S extends undefined
  ? { [K in Key]?: undefined }
  : Record<never, never> extends S
    ? { [K in Key]?: S }
    : { [K in Key]: S };

/** What a client passes to a call at level `L`: exactly the declared parts, optional where everything in them is. */
export type Args<E extends Endpoint, L extends AccessLevel> = Given<'params', InputOf<Part<E, 'params'>>> &
  Given<'query', InputOf<SchemaAt<Part<E, 'query'>, L>>> &
  Given<'body', InputOf<SchemaAt<Part<E, 'body'>, L>>>;

/** What a client gets back at level `L`. */
export type Reply<E extends Endpoint, L extends AccessLevel> = OutputOf<SchemaAt<E['response'], L>>;

/** Names of the parameters in a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '');
}
