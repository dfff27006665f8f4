import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../../observability/log.ts';
import { completeJobs, type FailedJob, failJobs } from './lane-store.ts';

export interface Results {
  complete(id: string): void;
  fail(job: FailedJob): void;
  /** The jobs whose results are not written. */
  waitingIds(): string[];
  /** Waits for the last write. A result that cannot be written is dropped: the job runs again, as after a kill. */
  close(): Promise<void>;
}

export interface ResultsOptions {
  readonly pgPool: pg.Pool;
  readonly worker: string;
  readonly log: Log;
}

const retryMs = 250;

/** Writes the results of jobs: those of one turn together, and all that come during a write with the next one. */
export function createResults({ pgPool, worker, log }: ResultsOptions): Results {
  const completed: string[] = [];
  const failed: FailedJob[] = [];
  let writing: Promise<void> | undefined;
  let isClosed = false;

  async function write(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve));
    while (completed.length + failed.length > 0) {
      try {
        await writeOnce();
      } catch (error) {
        log.debug({ error }, 'results of jobs could not be written');
        if (isClosed) return;
        await pause(retryMs);
      }
    }
  }

  async function writeOnce(): Promise<void> {
    const [ids, jobs] = [[...completed], [...failed]];
    if (ids.length > 0) await completeJobs(pgPool, worker, ids);
    completed.splice(0, ids.length);
    if (jobs.length > 0) await failJobs(pgPool, worker, jobs);
    failed.splice(0, jobs.length);
  }

  function schedule(): void {
    writing ??= write().finally(() => {
      writing = undefined;
    });
  }

  return {
    complete: id => {
      completed.push(id);
      schedule();
    },
    fail: job => {
      failed.push(job);
      schedule();
    },
    waitingIds: () => [...completed, ...failed.map(({ id }) => id)],
    close: async () => {
      isClosed = true;
      await writing;
    },
  };
}
