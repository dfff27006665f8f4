import { keySetUseStepMs } from '@tessera/protocol/limits';
import type { Clock } from '../../../platform/clock.ts';
import { type BatchWriter, createBatchWriter } from '../../../platform/database/batches/batch-writer.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { type KeySetUse, raiseLastUses } from './last-use-store.ts';

/**
 * Writes the last use of key sets in batches after the responses, each set once in every minute in which it is used. A
 * killed process loses the last batch.
 */
export interface KeySetUses extends Omit<BatchWriter<never>, 'record'> {
  record(use: KeySetUse): void;
}

const flushEveryMs = 1_000;
const maxRemembered = 10_000;

export function createKeySetUses({ db, clock, log }: { db: Database; clock: Clock; log: Log }): KeySetUses {
  /** The minute in which this process last recorded a use of a set. */
  let known = new Map<string, number>();
  const writer = createBatchWriter<KeySetUse & { readonly atMillis: number }>({
    name: 'the last use of keys',
    write: uses => raiseLastUses(db.asyncCommit, uses),
    keyOf: ({ keySetId }) => keySetId,
    flushEveryMs,
    log,
  });

  return {
    ...writer,
    record({ projectId, keySetId }) {
      const atMillis = clock.now();
      const minute = Math.floor(atMillis / keySetUseStepMs);
      if (known.get(keySetId) === minute) return;
      if (known.size >= maxRemembered) known = new Map();
      known.set(keySetId, minute);
      writer.record({ projectId, keySetId, atMillis });
    },
  };
}
