import type { AccessLevel, Answer, Endpoint, Input } from '@tessera/protocol';
import type { CallUser } from '../features/accounts/users/index.ts';
import type { Project } from '../features/projects/index.ts';
import type { RequestSource } from './source.ts';

type IfOpen<E extends Endpoint, Open, Closed> = 'none' extends E['access'] ? Open : Closed;

/** A validated request, as a handler sees it. */
export interface Call<E extends Endpoint = Endpoint> extends Input<E> {
  readonly level: IfOpen<E, AccessLevel | null, AccessLevel>;
  readonly project: IfOpen<E, Project | null, Project>;
  /** The user of the access token; null when none was sent, or the user is gone. */
  readonly user: E extends { user: 'required' } ? CallUser : CallUser | null;
  /** The session of the access token. */
  readonly sessionId: string | undefined;
  /** The owner whose admin access token stands for a key; undefined when a key was sent. */
  readonly ownerId: string | undefined;
  /** The set of that key; undefined when there was none. */
  readonly keySetId: string | undefined;
  readonly request: Request;
  /** Where it comes from, for limits and the audit log; `request` tells only what anybody may write. */
  readonly source: RequestSource;
}

/** An answer with a status or headers of its own. */
export class ResponseOverride {
  constructor(
    readonly body: unknown,
    readonly options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> },
  ) {}
}

/** What a handler answers: of JSON lines, all of them, one after the other. */
type Answered<E extends Endpoint> = E extends { produces: 'json-lines' } ? AsyncIterable<Answer<E>> : Answer<E>;

export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<Answered<E> | ResponseOverride> | Answered<E> | ResponseOverride;

export interface BoundRoute {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call) => Promise<unknown> | unknown;
}

/** Joins an endpoint of the table with the function that answers it. */
export function bind<const E extends Endpoint>(endpoint: E, handler: Handler<E>): BoundRoute {
  // The pipeline has validated the request against this very endpoint, so its call fits the handler.
  return { endpoint, handle: handler as unknown as BoundRoute['handle'] };
}
