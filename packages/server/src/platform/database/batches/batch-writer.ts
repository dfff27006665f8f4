import type { Log } from '../../observability/log.ts';
import { DatabaseAway } from '../database.ts';

/**
 * Writes rows after the response, many at once, so that no request waits for them. A killed process loses the rows of
 * the last moment.
 */
export interface BatchWriter<T> {
  record(item: T): void;
  /** Resolves when every row that was recorded before is written or dropped. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface BatchWriterOptions<T> {
  /** Names the rows in the log. */
  readonly name: string;
  readonly write: (items: readonly T[]) => Promise<void>;
  readonly log: Log;
}

const flushEveryMs = 100;
/** The most rows that are kept while the database is unavailable. */
const maxKept = 20_000;

export function createBatchWriter<T>({ name, write, log }: BatchWriterOptions<T>): BatchWriter<T> {
  let recorded: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, flushEveryMs);
    timer.unref();
  }

  function flush(): Promise<void> {
    writing = writing.then(writeRecorded);
    return writing;
  }

  async function writeRecorded(): Promise<void> {
    const batch = recorded;
    if (batch.length === 0) return;
    recorded = [];
    try {
      await write(batch);
    } catch (error) {
      // An outage is logged once a second for the whole process; a line per batch would hide it.
      const level = error instanceof DatabaseAway ? 'debug' : 'warn';
      log[level]({ error, count: batch.length }, `${name} could not be written and is kept for later`);
      recorded = [...batch, ...recorded].slice(-maxKept);
    }
  }

  return {
    record(item) {
      if (recorded.length >= maxKept) recorded.shift();
      recorded.push(item);
      schedule();
    },
    flush,
    close: async () => {
      clearTimeout(timer);
      await flush();
    },
  };
}
