import { type AccessLevel, type Endpoint, requestHeaders } from '@tessera/protocol';
import type { HttpRequest } from '../core/http-request.ts';
import type { Identity } from './access/credentials.ts';
import type { Draft } from './response/respond.ts';

/** A write that was sent with an idempotency key. */
export interface KeyedWrite {
  readonly key: string;
  readonly projectId: string;
  readonly level: AccessLevel | null;
  /**
   * Access level, key set, owner, user and session of the access token, and refresh token: keys of different credentials
   * do not collide. A user that is deleted and a session that has ended count, too: the write may have caused that.
   */
  readonly caller: readonly (string | undefined)[];
  /** Method and path template. */
  readonly route: string;
  /** Parameters, query and body. */
  readonly request: readonly unknown[];
}

/** What a request has besides its body. */
interface KeyedRequest {
  readonly request: HttpRequest;
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
}

/** Runs a write and returns its response. A repeated key returns the stored response without running the write. */
export type RunOnce = (write: KeyedWrite, work: () => Promise<Draft>) => Promise<Draft>;

/** The idempotent write of a request: a write to a project with an idempotency key; otherwise undefined. */
export function readKeyedWrite(
  endpoint: Endpoint,
  { identity, incoming, body }: { identity: Identity; incoming: KeyedRequest; body: unknown },
): KeyedWrite | undefined {
  const { caller, token } = identity;
  const key = incoming.request.headers.get(requestHeaders.idempotencyKey);
  if (key === null || caller.project === null || !takesIdempotencyKey(endpoint)) return undefined;
  const { level, keySetId, ownerId } = caller;
  // A refresh token is a credential too: its response belongs to the caller who presents it.
  const refreshToken = incoming.request.headers.get(requestHeaders.refreshToken);
  return {
    key,
    projectId: caller.project.id,
    level,
    caller: [level ?? undefined, keySetId, ownerId, token?.userId, token?.sessionId, refreshToken ?? undefined],
    route: `${endpoint.method} ${endpoint.path}`,
    request: [incoming.params, incoming.query, body],
  };
}

function takesIdempotencyKey({ method, produces, changesNothing, ignoresIdempotencyKey }: Endpoint): boolean {
  return method !== 'GET' && produces !== 'json-lines' && !changesNothing && !ignoresIdempotencyKey;
}
