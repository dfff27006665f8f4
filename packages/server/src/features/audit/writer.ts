import { randomUUID } from 'node:crypto';
import { type BatchWriter, createBatchWriter } from '../../platform/batches.ts';
import type { Database } from '../../platform/db.ts';
import type { Log } from '../../platform/log.ts';
import { createFirsts } from './firsts.ts';
import type { AuditEvent } from './index.ts';
import { auditInsert } from './store.ts';

/** For what happens outside of any transaction: refused sign-ins, uses of keys. */
export interface AuditWriter extends Omit<BatchWriter<never>, 'record'> {
  /** @param id of an event that several processes may tell of, and that counts once; otherwise a new one */
  record(event: AuditEvent, id?: string): void;
  /**
   * For what anybody can repeat without end: noted once an hour by each process.
   *
   * @param name of what is the same
   */
  recordFirst(event: AuditEvent, name: string): void;
}

export function createAuditWriter({ db, log }: { db: Database; log: Log }): AuditWriter {
  const { record, flush, close } = createBatchWriter<AuditEvent & { id: string }>({
    name: 'audit events',
    write: async events => {
      await db.relaxed.query(auditInsert(events));
    },
    log,
  });
  const isFirst = createFirsts();
  return {
    record: (event, id = randomUUID()) => record({ id, ...event }),
    recordFirst: (event, name) => {
      if (isFirst(name, event.atMillis)) record({ id: randomUUID(), ...event });
    },
    flush,
    close,
  };
}
