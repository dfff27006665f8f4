import type { AccessLevel, Answer, Endpoint, Input } from '@tessera/protocol';
import type { CallUser } from '../features/accounts/users/index.ts';
import type { Project } from '../features/projects/index.ts';
import type { RequestSource } from './source.ts';

type IfOpen<E extends Endpoint, Open, Closed> = 'none' extends E['access'] ? Open : Closed;

/** A validated request, as the handler receives it. */
export interface Call<E extends Endpoint = Endpoint> extends Input<E> {
  readonly level: IfOpen<E, AccessLevel | null, AccessLevel>;
  readonly project: IfOpen<E, Project | null, Project>;
  /** The user of the access token; null when no token was sent or the user was deleted. */
  readonly user: E extends { user: 'required' } ? CallUser : CallUser | null;
  /** The session of the access token. */
  readonly sessionId: string | undefined;
  /** The owner whose admin access token replaces a key; undefined when a key was sent. */
  readonly ownerId: string | undefined;
  /** The session of that owner. */
  readonly ownerSessionId: string | undefined;
  /** The key set of the sent key; undefined when none was sent. */
  readonly keySetId: string | undefined;
  readonly request: Request;
  /** The source of the request, for limits and the audit log. Values in `request` itself can be forged by the client. */
  readonly source: RequestSource;
}

/** An answer with its own status or headers. */
export class ResponseOverride {
  constructor(
    readonly body: unknown,
    readonly options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> },
  ) {}
}

/** The return value of a handler: the body, an answer with its own status, or JSON lines. */
type Answered<E extends Endpoint> = E extends { produces: 'json-lines' } ? AsyncIterable<Answer<E>> : Answer<E>;

export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<Answered<E> | ResponseOverride> | Answered<E> | ResponseOverride;

export interface BoundRoute {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call) => Promise<unknown> | unknown;
}

/** Binds an endpoint of the table to its handler. */
export function bind<const E extends Endpoint>(endpoint: E, handler: Handler<E>): BoundRoute {
  // The pipeline validates the request against this endpoint, so the call has the type that the handler expects.
  return { endpoint, handle: handler as unknown as BoundRoute['handle'] };
}
