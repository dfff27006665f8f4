import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '../../core/audit-event.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { auditInsert } from './store.ts';

/** Records an event in the caller's transaction: the event exists if and only if the transaction commits. */
export async function recordAudit(tx: Transaction | Queryable, event: AuditEvent): Promise<void> {
  await tx.query(auditInsert([{ id: randomUUID(), ...event }]));
}
