import type { Clock } from '../../../platform/clock.ts';
import { type BatchWriter, createBatchWriter } from '../../../platform/database/batches/batch-writer.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { type Activity, insertActivity } from './store.ts';

/**
 * Writes activity in batches after the responses, so that a refresh costs one read. Metrics see it with a delay
 * (docs/contract/emails-webhooks-metrics.md#metrics). A killed process loses the last batch.
 */
export interface ActivityWriter extends Omit<BatchWriter<never>, 'record'> {
  record(activity: Omit<Activity, 'atMillis'>): void;
}

export function createActivityWriter({ db, clock, log }: { db: Database; clock: Clock; log: Log }): ActivityWriter {
  const writer = createBatchWriter<Activity>({
    name: 'activity',
    write: activities => insertActivity(db.asyncCommit, activities),
    // Within one batch the last use of a session is enough.
    keyOf: ({ sessionId }) => sessionId,
    log,
  });
  return { ...writer, record: activity => writer.record({ ...activity, atMillis: clock.now() }) };
}
