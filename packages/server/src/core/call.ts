import type { AccessLevel, Endpoint, Input } from '@tessera/protocol';
import type { Caller } from './caller.ts';
import type { HttpRequest } from './http-request.ts';
import type { Project } from './project.ts';
import type { RequestSource } from './request-source.ts';
import type { CallUser } from './user.ts';

type IfOpen<E extends Endpoint, Open, Closed> = 'none' extends E['access'] ? Open : Closed;

/** The endpoint's `user_id`: the type is certain where the endpoint requires it. */
type TargetUserId<I> = I extends
  | { readonly params: { readonly user_id: string } }
  | { readonly query: { readonly user_id: string } }
  | { readonly body: { readonly user_id: string } }
  ? string
  : string | undefined;

/** A validated request with its caller, as the handler receives it. */
export interface Call<E extends Endpoint = Endpoint> extends Input<E>, Omit<Caller, 'level' | 'project' | 'user'> {
  readonly level: IfOpen<E, AccessLevel | null, AccessLevel>;
  readonly project: IfOpen<E, Project | null, Project>;
  /** The user of the access token; null when no token was sent or the user was deleted. */
  readonly user: E extends { user: 'required' } ? CallUser : CallUser | null;
  /**
   * The user that the request names, as a lower-case id: `me` is the user of the access token. Undefined when the request
   * names none (docs/contract/envelope.md#the-user-of-the-request).
   */
  readonly targetUserId: TargetUserId<Input<E>>;
  readonly request: HttpRequest;
  /** The source of the request, for limits and the audit log. Values in `request` itself can be forged by the client. */
  readonly source: RequestSource;
}
