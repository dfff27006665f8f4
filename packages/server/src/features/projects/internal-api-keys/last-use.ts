import { keySetUseStepMs } from '@tessera/protocol/limits';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { raiseLastUses } from './last-use-store.ts';

/** A request that a key of a set authenticated. */
export interface KeySetUse {
  readonly projectId: string;
  readonly keySetId: string;
}

/**
 * Writes the last use of key sets in batches after the responses, each set once in every minute in which it is used. A killed process loses
 * the last batch.
 */
export interface KeySetUses {
  record(use: KeySetUse): void;
  /** Resolves when all uses recorded before are written, or dropped after a failure. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 1_000;
const maxRemembered = 10_000;

export function createKeySetUses({ db, clock, log }: { db: Database; clock: Clock; log: Log }): KeySetUses {
  /** The minute in which this process last recorded a use of a set. */
  let known = new Map<string, number>();
  let waiting = new Map<string, KeySetUse & { readonly atMillis: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const batch = [...waiting.values()];
    if (batch.length === 0) return;
    waiting = new Map();
    try {
      await raiseLastUses(db.asyncCommit, batch);
    } catch (error) {
      // Not kept: the next minute in which a key is used writes it, and the time is only information.
      log.warn({ error, count: batch.length }, 'the last use of keys could not be written');
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  return {
    record({ projectId, keySetId }) {
      const atMillis = clock.now();
      const minute = Math.floor(atMillis / keySetUseStepMs);
      if (known.get(keySetId) === minute) return;
      if (known.size >= maxRemembered) known = new Map();
      known.set(keySetId, minute);
      waiting.set(keySetId, { projectId, keySetId, atMillis });
      timer ??= setTimeout(() => void flush(), flushEveryMs).unref();
    },
    flush,
    close: flush,
  };
}
