import type { AccessLevel, AuditAction, AuditActorType, Json } from '@tessera/protocol';
import type { Impersonation } from './caller.ts';
import type { RequestSource } from './request-source.ts';

/** Who caused an audited event. */
export interface AuditActor {
  readonly type: AuditActorType;
  /** Id of the user or owner, or of the key set for a server or admin key; null for other callers. */
  readonly id: string | null;
}

/** A security event of a project, readable by its admins. It must not contain secrets or hashes of them. */
export interface AuditEvent {
  readonly projectId: string;
  readonly action: AuditAction;
  readonly actor: AuditActor;
  /** The affected user of the project, if any. */
  readonly userId?: string | null;
  /** The affected object when it is not a user: `{ type: 'api_key', id }`. */
  readonly subject?: { readonly type: string; readonly id: string };
  /** Where the request came from; undefined for events of the server itself. */
  readonly source?: Pick<RequestSource, 'traceId' | 'address' | 'userAgent'>;
  readonly details?: Json;
  /** The user as whom the actor acted in an impersonation; recorded in the details. */
  readonly impersonatedUserId?: string | undefined;
  /** Configuration changes: the changed settings, before and after. */
  readonly before?: Json;
  readonly after?: Json;
  readonly atMillis: number;
}

/** The user whom a refusal concerns, as the `cause` of the error: for the audit log, never sent. */
export class RefusedUser {
  constructor(readonly userId: string) {}
}

/** An event with its id, as stored. */
export interface StoredAuditEvent extends AuditEvent {
  readonly id: string;
}

/** The parts of a request that an audit event copies. */
export interface AuditedCall {
  readonly project: { readonly id: string };
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
  readonly ownerId: string | undefined;
  /** The set of the sent key. */
  readonly keySetId: string | undefined;
  /** Undefined, too, for a caller without an access token. */
  readonly impersonation?: Impersonation | undefined;
  readonly source: RequestSource;
}
