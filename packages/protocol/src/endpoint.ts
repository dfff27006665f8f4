import type * as z from 'zod';
import type { AccessLevel, Leveled, PerLevel } from './access/access.ts';
import type { ProjectRole } from './access/roles.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * An endpoint, as data. The route, the validation, the response check, the typed handler, the client's typed call, the
 * OpenAPI document and the authorization matrix are derived from it.
 */
export interface Endpoint {
  readonly method: Method;
  /** Path below `/api/v1`; parameters in braces: `/users/{user_id}`. */
  readonly path: `/${string}`;
  /** Lowest access level; `none` when no access type is required (one that is sent is still checked). */
  readonly access: AccessLevel | 'none';
  /**
   * `required`: a request without a signed-in user violates the schema
   * (docs/contract/envelope.md#the-user-of-the-request).
   */
  readonly user?: 'required';
  /**
   * The lowest role of a person who calls with an admin access token, when it is not `viewer` for GET and `admin` for
   * other methods (docs/contract/projects.md#members-and-roles). Callers with a key have no role.
   */
  readonly role?: ProjectRole;
  /**
   * The age of the latest sign-in or reauthentication that a person who calls with an admin access token may have. Callers
   * with a key are not asked.
   */
  readonly recentSignInWithinMs?: number;
  /**
   * What the access token of an ended session does. `accepted`: it names its user. `ignored`: the endpoint needs no user, so
   * the request has none; also the default of access `none`. Every other endpoint refuses it with ACCESS_TOKEN_EXPIRED.
   */
  readonly endedSession?: 'accepted' | 'ignored';
  /** Path parameters; exactly those of `path`. */
  readonly params?: z.ZodObject;
  /** Absent: the query is ignored. */
  readonly query?: Leveled<z.ZodObject>;
  /** Headers that the handler reads, by lower-case name. */
  readonly headers?: z.ZodObject;
  /** Absent: the body is ignored. */
  readonly body?: Leveled<z.ZodType>;
  /** The body is not parsed: other programs send any type. */
  readonly ignoresBody?: true;
  /** A valid body may be larger than `bodyMaxBytes`: it has an image, metadata, HTML or a long list. */
  readonly largeBody?: true;
  readonly response: Leveled<z.ZodType>;
  /** Default `json`. `json-lines`, `event-stream`: `response` describes one of any number of lines or events. */
  readonly produces?: 'json' | 'text' | 'html' | 'json-lines' | 'event-stream' | 'webp';
  /** Default 200. */
  readonly status?: 200 | 201;
  /** Default `no-store, max-age=0`. */
  readonly cacheControl?: string;
  /** A read that needs a body: it is not recorded in the audit log, and an idempotency key is ignored. */
  readonly changesNothing?: true;
  /**
   * A repeated request runs again, and no response is stored: for frequent requests that are safe to repeat, and for
   * answers that must be current.
   */
  readonly ignoresIdempotencyKey?: true;
  /** The audit event of the handler describes the whole change: the request gets no event of its own. */
  readonly recordsItsChange?: true;
  readonly summary: string;
  readonly tag: Tag;
  /** Known errors of this endpoint; those of the envelope are not listed. */
  readonly errors: readonly ErrorCode[];
}

/** `extension` marks endpoints that are not in the July 2025 contract. */
export type Tag =
  | 'Service'
  | 'Sign-in'
  | 'Sessions'
  | 'Users'
  | 'Contact channels'
  | 'Teams'
  | 'Permissions'
  | 'API keys'
  | 'Emails'
  | 'Projects'
  | 'Webhooks'
  | 'extension';

/** Declares an endpoint; the literal types are kept, so all derived types are exact. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration;
}

/** `GET /users/me`: the key of an endpoint. */
export type RouteOf<E extends Pick<Endpoint, 'method' | 'path'>> = `${E['method']} ${E['path']}`;

/** A part of a declaration, or `undefined` when the endpoint does not declare it. */
type Part<E, K extends string> = K extends keyof E ? E[K] : undefined;

/** The schema of level `L`: the type of `atLevel`. */
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

/** The input of a handler. The body has the type of the highest level: lower levels have a subset of its keys. */
export interface Input<E extends Endpoint> {
  params: OutputOf<Part<E, 'params'>>;
  query: OutputOf<SchemaAt<Part<E, 'query'>, 'admin'>>;
  headers: OutputOf<Part<E, 'headers'>>;
  body: OutputOf<SchemaAt<Part<E, 'body'>, 'admin'>>;
}

/** The result of a handler: the object of one of the levels. */
export type Answer<E extends Endpoint> =
  | OutputOf<SchemaAt<E['response'], 'client'>>
  | OutputOf<SchemaAt<E['response'], 'server'>>
  | OutputOf<SchemaAt<E['response'], 'admin'>>;

type Given<Key extends string, S> = S extends undefined
  ? { [K in Key]?: undefined }
  : Record<never, never> extends S
    ? { [K in Key]?: S }
    : { [K in Key]: S };

/** The arguments of a client's call at level `L`: exactly the declared parts, optional when all their keys are. */
export type Args<E extends Endpoint, L extends AccessLevel> = Given<'params', InputOf<Part<E, 'params'>>> &
  Given<'query', InputOf<SchemaAt<Part<E, 'query'>, L>>> &
  Given<'body', InputOf<SchemaAt<Part<E, 'body'>, L>>>;

/** The result of a client's call at level `L`. */
export type Reply<E extends Endpoint, L extends AccessLevel> = OutputOf<SchemaAt<E['response'], L>>;

/** The names of the parameters in a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '');
}

/** The lowest role that may call an endpoint with an admin access token. */
export function roleOf({ role, method }: Pick<Endpoint, 'role' | 'method'>): ProjectRole {
  return role ?? (method === 'GET' ? 'viewer' : 'admin');
}
