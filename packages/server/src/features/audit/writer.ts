import { randomUUID } from 'node:crypto';
import { type BatchWriter, createBatchWriter } from '../../platform/batches.ts';
import type { Database } from '../../platform/db.ts';
import type { Log } from '../../platform/log.ts';
import type { AuditEvent } from './index.ts';
import { auditInsert } from './store.ts';

/** For what happens outside of any transaction: refused sign-ins, uses of keys. */
export interface AuditWriter extends Omit<BatchWriter<never>, 'record'> {
  /** @param id of an event that several processes may tell of, and that counts once; otherwise a new one */
  record(event: AuditEvent, id?: string): void;
}

export function createAuditWriter({ db, log }: { db: Database; log: Log }): AuditWriter {
  const { record, flush, close } = createBatchWriter<AuditEvent & { id: string }>({
    name: 'audit events',
    write: async events => {
      await db.relaxed.query(auditInsert(events));
    },
    log,
  });
  return { record: (event, id = randomUUID()) => record({ id, ...event }), flush, close };
}
