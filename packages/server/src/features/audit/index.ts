import { randomUUID } from 'node:crypto';
import type { AccessLevel, AuditAction, AuditActorType, Json } from '@tessera/protocol';
import type { RequestSource } from '../../http/source.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { auditInsert } from './store.ts';

export { createAnswerAudit } from './answered.ts';
export { auditedBy } from './rules.ts';
export { auditInsert } from './store.ts';
export { type AuditWriter, createAuditWriter } from './writer.ts';

export interface AuditActor {
  readonly type: AuditActorType;
  /** Of the user or owner; null where a key speaks for itself. */
  readonly id: string | null;
}

/** Something that happened, told to whoever looks after the project. Secrets do not belong in it, nor hashes of them. */
export interface AuditEvent {
  readonly projectId: string;
  readonly action: AuditAction;
  readonly actor: AuditActor;
  /** Whom it concerns, where that is a user of the project. */
  readonly userId?: string | null;
  /** What it was done to, where that is not the user: `{ type: 'api_key', id }`. */
  readonly subject?: { readonly type: string; readonly id: string };
  /** Where the request came from; undefined for what the server does by itself. */
  readonly source?: Pick<RequestSource, 'address' | 'userAgent'>;
  readonly details?: Json;
  /** Of a changed configuration: the settings that changed, as they were and as they are. */
  readonly before?: Json;
  readonly after?: Json;
  readonly atMillis: number;
}

/** An event with its id, as it is stored. */
export interface StoredAuditEvent extends AuditEvent {
  readonly id: string;
}

/** Notes what happened, in the transaction that did it: it is in the log if and only if that commits. */
export async function recordAudit(tx: Transaction | Queryable, event: AuditEvent): Promise<void> {
  await tx.query(auditInsert([{ id: randomUUID(), ...event }]));
}

/** A call, as far as the log tells of it. */
export interface AuditedCall {
  readonly project: { readonly id: string };
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
  readonly ownerId: string | undefined;
  readonly source: RequestSource;
}
