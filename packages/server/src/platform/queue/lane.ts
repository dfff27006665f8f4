import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../observability/log.ts';
import { createResults } from './lane-results.ts';
import { type ClaimedJob, claimJobs, type FailedJob } from './lane-store.ts';
import { attemptsAfterFailure } from './newer-version.ts';
import type { LaneWork, Tasks } from './work.ts';

export interface LaneOptions extends LaneWork {
  readonly tasks: Tasks;
  readonly pgPool: pg.Pool;
  readonly log: Log;
  /** Called after each completed poll of the queue; with false when all places are taken, so that no poll follows. */
  readonly onPoll: (worker: string, pollsAgain: boolean) => void;
}

export interface Lane {
  /** Name of the worker that holds the jobs. */
  readonly worker: string;
  /** Looks for jobs now, because some were added. */
  wake(): void;
  /** Starts no new jobs, and waits for the running ones and for their results. */
  stop(): Promise<void>;
}

/** Finds the jobs whose time has come; new ones wake the lane. */
const pollMs = 2_000;
/** After a claim that may leave due jobs: some may wait behind those of a flag without room, or behind slow ones. */
const backlogPollMs = 100;

/**
 * Runs jobs of the queue in batches: one statement claims all jobs that there is room for, and one removes all that have
 * ended. A job costs a fraction of a statement instead of two, and its task can share statements with the jobs beside it.
 */
export function startLane(options: LaneOptions): Lane {
  const { names, concurrency, perFlag, pgPool, log } = options;
  const worker = `lane-${randomUUID()}`;
  const results = createResults({ pgPool, worker, log });
  const running = new Map<string, Promise<void>>();
  const flags = createFlagCounter(options);
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopping = false;
  let next: NextPoll = { afterMs: pollMs, afterEnds: Number.POSITIVE_INFINITY };

  function poll(): void {
    isAskedAgain = polling !== undefined;
    if (polling !== undefined || isStopping) return;
    clearTimeout(timer);
    polling = claim()
      .catch((error: unknown) => log.debug({ error }, 'jobs could not be claimed'))
      .finally(() => {
        polling = undefined;
        if (isStopping) return;
        timer = setTimeout(poll, next.afterMs);
        if (isAskedAgain) poll();
      });
  }

  async function claim(): Promise<void> {
    const limit = concurrency - running.size;
    if (limit > 0) {
      const room = flags.room();
      const jobs = await claimJobs(pgPool, { worker, names, limit, perFlag, room });
      next = planPoll({ claimed: jobs.length, limit, isCutShort: jobs.length >= perFlag || room.size > 0 }, options);
      for (const job of jobs) start(job);
    } else next = planPoll({ claimed: 0, limit, isCutShort: false }, options);
    options.onPoll(worker, running.size < concurrency);
  }

  function start(job: ClaimedJob): void {
    flags.add(job.flags);
    running.set(
      job.id,
      perform(job).finally(() => end(job)),
    );
  }

  function end(job: ClaimedJob): void {
    running.delete(job.id);
    flags.remove(job.flags);
    next.afterEnds--;
    if (next.afterEnds <= 0 || (next.afterMs < pollMs && running.size === 0)) poll();
  }

  async function perform(job: ClaimedJob): Promise<void> {
    try {
      await options.tasks[job.name]?.(job.payload);
      results.complete(job.id);
    } catch (error) {
      log.warn({ error, task: job.name, attempt: job.attempts, attemptsMax: job.maxAttempts }, 'a job failed');
      results.fail(failureOf(job, error));
    }
  }

  poll();
  return {
    worker,
    wake: poll,
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await polling;
      await Promise.all(running.values());
      await results.close();
    },
  };
}

interface NextPoll {
  readonly afterMs: number;
  /** Jobs that must end before it. */
  afterEnds: number;
}

/** While due jobs may be left, the next poll waits until half of a batch has ended, so that claims do not become small. */
function planPoll(
  { claimed, limit, isCutShort }: { claimed: number; limit: number; isCutShort: boolean },
  { concurrency, perFlag }: LaneWork,
): NextPoll {
  const isFull = claimed === limit;
  if (!isFull && !isCutShort) return { afterMs: pollMs, afterEnds: Number.POSITIVE_INFINITY };
  // Nothing was free: the next job that ends may make room for its flag.
  const afterEnds = claimed === 0 && limit > 0 ? 1 : Math.ceil((isFull ? concurrency : perFlag) / 2);
  return { afterMs: claimed > 0 ? backlogPollMs : pollMs, afterEnds };
}

function failureOf(job: ClaimedJob, error: unknown): FailedJob {
  const message = error instanceof Error ? error.message : String(error);
  return { id: job.id, message, attempts: attemptsAfterFailure(error, job) };
}

/** Counts running jobs by flag. */
function createFlagCounter({ perFlag, limits = () => new Map() }: LaneWork) {
  const counts = new Map<string, number>();
  return {
    add(flags: readonly string[]): void {
      for (const flag of flags) counts.set(flag, (counts.get(flag) ?? 0) + 1);
    },
    remove(flags: readonly string[]): void {
      for (const flag of flags) {
        const left = (counts.get(flag) ?? 0) - 1;
        if (left > 0) counts.set(flag, left);
        else counts.delete(flag);
      }
    },
    /** Jobs that may start, by flag; flags that are not listed have room for `perFlag`. */
    room(): Map<string, number> {
      const limitOf = limits();
      const known = new Set([...counts.keys(), ...limitOf.keys()]);
      return new Map([...known].map(flag => [flag, (limitOf.get(flag) ?? perFlag) - (counts.get(flag) ?? 0)]));
    },
  };
}
