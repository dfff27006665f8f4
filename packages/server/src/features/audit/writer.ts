import { randomUUID } from 'node:crypto';
import { auditFailureWindowMs } from '@tessera/protocol';
import type { AuditEvent } from '../../core/audit-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { type BatchWriter, createBatchWriter } from '../../platform/database/batches/batch-writer.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/observability/log.ts';
import { createFailureCounts, type FailureEvent } from './failures.ts';
import { createFirstSeen } from './firsts.ts';
import { auditInsert, selectUsersOfAddresses } from './store.ts';

/** Records events outside a transaction: refused sign-ins, key uses. */
export interface AuditWriter extends Omit<BatchWriter<never>, 'record'> {
  /** @param id a fixed id when several processes may report the same event; default: a new id */
  record(event: AuditEvent, id?: string): void;
  /**
   * Records an event that callers can repeat without limit, at most once an hour per process.
   *
   * @param name identifies equal events
   */
  recordFirst(event: AuditEvent, name: string): void;
  /**
   * Records a failure that callers can repeat without limit: the first ones of a window at once, further ones as one event
   * with a `count` when the window ends.
   *
   * @param kind identifies failures of one kind
   */
  recordFailure(event: FailureEvent, kind: string): void;
  /** Whether a failure of this request was taken. The request is known by its source. */
  hasFailureOf(source: object): boolean;
}

/** Events are written up to a window after they happened. Those of a deleted project would stay: its log is deleted by then. */
const ofLivingProject = sql`
  where exists (select from projects p where p.id = event.project_id and p.deleted_at_millis is null)
`;

export function createAuditWriter({ db, clock, log }: { db: Database; clock: Clock; log: Log }): AuditWriter {
  const { record, flush, close } = createBatchWriter<FailureEvent & { id: string }>({
    name: 'audit events',
    write: async events => {
      await db.asyncCommit.query(auditInsert(await withUsers(db, events), ofLivingProject));
    },
    log,
  });
  const isFirst = createFirstSeen();
  const failures = createFailureCounts();
  const failedSources = new WeakSet<object>();
  const recordAll = (events: readonly FailureEvent[]) => {
    for (const event of events) record({ id: randomUUID(), ...event });
  };
  // Without the timer the last counts would wait for the next failure.
  const timer = setInterval(() => recordAll(failures.drain({ nowMillis: clock.now() })), auditFailureWindowMs);
  timer.unref();

  return {
    record: (event, id = randomUUID()) => record({ id, ...event }),
    recordFirst: (event, name) => {
      if (isFirst(name, event.atMillis)) record({ id: randomUUID(), ...event });
    },
    recordFailure: (event, kind) => {
      if (event.source !== undefined) failedSources.add(event.source);
      recordAll(failures.take(event, kind));
    },
    hasFailureOf: source => failedSources.has(source),
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

/** Fills in the users of the addresses. Here and not in the request: a refused attempt costs no query. */
async function withUsers<Event extends FailureEvent>(db: Database, events: readonly Event[]): Promise<Event[]> {
  const named = events.flatMap(({ projectId, userAddress }) =>
    userAddress === undefined ? [] : [{ projectId, address: userAddress }],
  );
  if (named.length === 0) return [...events];
  const users = await selectUsersOfAddresses(db, named);
  return events.map(event => {
    const isUser = (one: (typeof users)[number]) =>
      one.projectId === event.projectId && one.address === event.userAddress;
    return event.userAddress === undefined ? event : { ...event, userId: users.find(isUser)?.userId ?? null };
  });
}
