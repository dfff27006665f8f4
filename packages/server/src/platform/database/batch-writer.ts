import type { Log } from '../observability/log.ts';
import { DatabaseAway } from './database.ts';

/**
 * Writes behind the answers that cause it, many at once, so that a request does not wait for what nobody waits for.
 * The last moment is lost with a killed process.
 */
export interface BatchWriter<T> {
  record(item: T): void;
  /** Everything that was recorded before is written, or given up, when this answers. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface BatchWriterOptions<T> {
  /** What is written, for the log. */
  readonly name: string;
  readonly write: (items: readonly T[]) => Promise<void>;
  readonly log: Log;
}

const flushEveryMs = 100;
/** While the database is away, this much is kept. */
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
      // An outage is logged once a second for the whole process; a line with a stack per batch would bury it.
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
