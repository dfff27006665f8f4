import { randomUUID } from 'node:crypto';
import { auditFailureWindowMs } from '@tessera/protocol';
import type { Clock } from '../../platform/clock.ts';
import { type BatchWriter, createBatchWriter } from '../../platform/database/batch-writer.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/observability/log.ts';
import { createFailureCounts } from './failures.ts';
import { createFirsts } from './firsts.ts';
import type { AuditEvent } from './index.ts';
import { auditInsert } from './store.ts';

/** Records what happens outside of a transaction: refused sign-ins, uses of keys. */
export interface AuditWriter extends Omit<BatchWriter<never>, 'record'> {
  /** @param id of an event that several processes may tell of, and that counts once; otherwise a new one */
  record(event: AuditEvent, id?: string): void;
  /**
   * Records an event that any caller can repeat without end, once an hour in each process.
   *
   * @param name of events that are alike
   */
  recordFirst(event: AuditEvent, name: string): void;
  /**
   * Records a failure that any caller can repeat without end: the first of a window at once, and the repetitions in one
   * event with their `count` when the window has ended.
   *
   * @param name of failures that are alike
   */
  recordFailure(event: AuditEvent, name: string): void;
}

export function createAuditWriter({ db, clock, log }: { db: Database; clock: Clock; log: Log }): AuditWriter {
  const { record, flush, close } = createBatchWriter<AuditEvent & { id: string }>({
    name: 'audit events',
    write: async events => {
      await db.asyncCommit.query(auditInsert(events));
    },
    log,
  });
  const isFirst = createFirsts();
  const failures = createFailureCounts();
  const recordAll = (events: readonly AuditEvent[]) => {
    for (const event of events) record({ id: randomUUID(), ...event });
  };
  // A flood may stop with its window, so the last numbers do not wait for another failure.
  const timer = setInterval(() => recordAll(failures.drain({ nowMillis: clock.now() })), auditFailureWindowMs);
  timer.unref();

  return {
    record: (event, id = randomUUID()) => record({ id, ...event }),
    recordFirst: (event, name) => {
      if (isFirst(name, event.atMillis)) record({ id: randomUUID(), ...event });
    },
    recordFailure: (event, name) => recordAll(failures.take(event, name)),
    flush: () => {
      recordAll(failures.drain({ nowMillis: clock.now() }));
      return flush();
    },
    close: () => {
      clearInterval(timer);
      recordAll(failures.drain('all'));
      return close();
    },
  };
}
