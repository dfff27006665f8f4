import { dropOldest } from '../../drop-oldest.ts';
import type { Log } from '../../observability/log.ts';
import { DatabaseAway } from '../database.ts';

/**
 * Writes rows after the response, many at once, so that no request waits for them. A killed process loses the rows of
 * the last moment.
 */
export interface BatchWriter<T> {
  record(item: T): void;
  /** Resolves when every row that was recorded before is written, or kept for later after a failure. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface BatchWriterOptions<T> {
  /** Names the rows in the log. */
  readonly name: string;
  readonly write: (items: readonly T[]) => Promise<void>;
  readonly log: Log;
  /** The key of a row. Only the last of several rows with one key is written. Default: every row is written. */
  readonly keyOf?: (item: T) => string;
  readonly flushEveryMs?: number;
}

/** The most rows that are kept while the database is unavailable; older ones are dropped. */
const maxKept = 20_000;
/** The rows of a project are deleted 5 s after the project, when its delayed writes have to be done. */
const retryMaxMs = 2_000;

export function createBatchWriter<T>(options: BatchWriterOptions<T>): BatchWriter<T> {
  const { name, write, log, flushEveryMs = 100 } = options;
  let count = 0;
  const keyOf = options.keyOf ?? (() => String(count++));
  let recorded = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let delayMs = flushEveryMs;
  let isClosed = false;

  function schedule(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, delayMs);
    timer.unref();
  }

  function flush(): Promise<void> {
    writing = writing.then(writeRecorded);
    return writing;
  }

  async function writeRecorded(): Promise<void> {
    const batch = recorded;
    if (batch.size === 0) return;
    recorded = new Map();
    try {
      await write([...batch.values()]);
      delayMs = flushEveryMs;
    } catch (error) {
      // An outage is logged once a second for the whole process; a line per batch would hide it.
      const level = error instanceof DatabaseAway ? 'debug' : 'warn';
      log[level]({ error, count: batch.size }, `${name} could not be written and is kept for later`);
      recorded = new Map([...batch, ...recorded].slice(-maxKept));
      delayMs = Math.min(2 * delayMs, retryMaxMs);
      schedule();
    }
  }

  return {
    record(item) {
      recorded.set(keyOf(item), item);
      dropOldest(recorded, maxKept);
      schedule();
    },
    flush,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
