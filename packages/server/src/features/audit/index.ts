import { randomUUID } from 'node:crypto';
import type { AccessLevel, AuditAction, AuditActorType, Json } from '@tessera/protocol';
import type { RequestSource } from '../../http/source.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { auditInsert } from './store.ts';

export { createResponseAudit } from './answered.ts';
export { auditedBy } from './rules.ts';
export { auditInsert } from './store.ts';
export { type AuditWriter, createAuditWriter } from './writer.ts';

export interface AuditActor {
  readonly type: AuditActorType;
  /** Id of the user or owner; null for a key without a user. */
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
  readonly source?: Pick<RequestSource, 'address' | 'userAgent'>;
  readonly details?: Json;
  /** Configuration changes: the changed settings, before and after. */
  readonly before?: Json;
  readonly after?: Json;
  readonly atMillis: number;
}

/** An event with its id, as stored. */
export interface StoredAuditEvent extends AuditEvent {
  readonly id: string;
}

/** Records an event in the caller's transaction: the event exists if and only if the transaction commits. */
export async function recordAudit(tx: Transaction | Queryable, event: AuditEvent): Promise<void> {
  await tx.query(auditInsert([{ id: randomUUID(), ...event }]));
}

/** The parts of a request that an audit event copies. */
export interface AuditedCall {
  readonly project: { readonly id: string };
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
  readonly ownerId: string | undefined;
  readonly source: RequestSource;
}
