import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../../observability/log.ts';
import { attemptsAfterFailure } from '../newer-version.ts';
import type { LaneWork, Tasks } from '../work.ts';
import { createBacklogClaims } from './lane-backlog.ts';
import { createLaneFlags, type LaneRoom } from './lane-flags.ts';
import { type PollPlan, planPoll, startLanePolls } from './lane-polls.ts';
import { createResults } from './lane-results.ts';
import { type Claim, type ClaimedJob, claimJobs, type FailedJob, releaseUnknownJobs } from './lane-store.ts';

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

/** Longer than the time limit of a statement: a failed claim locks no jobs after this time. */
const unsureMs = 10_000;

/**
 * Runs jobs of the queue in batches: one statement claims all jobs that there is room for, and one removes all that have
 * ended. A job costs a fraction of a statement instead of two, and its task can share statements with the jobs beside it.
 *
 * The terms of the files of this folder: a place runs one job, and there are `concurrency` of them. A flag names what a job
 * shares with others: its project, or the server that it calls. The room of a flag is the number of its jobs that may still
 * start. A job is late after two seconds; a flag is slow after a late job, quick after one in time, and unknown before its
 * first job has ended. Slow and unknown flags have half of the places at most. A newcomer is a project without a running job.
 */
export function startLane(options: LaneOptions): Lane {
  const { names, concurrency, perFlag, pgPool, log } = options;
  const worker = `lane-${randomUUID()}`;
  const results = createResults({ pgPool, worker, log });
  const running = new Map<string, Promise<void>>();
  const flags = createLaneFlags(options);
  const claimWithBacklogs = createBacklogClaims(perFlag);
  let failedAtMs: number | undefined;
  const polls = startLanePolls({ claim, log });

  /** The database may have performed a claim whose answer was lost. */
  async function claimOrRelease(request: Claim): Promise<ClaimedJob[]> {
    const nowMs = performance.now();
    try {
      if (failedAtMs !== undefined) {
        await releaseUnknownJobs(pgPool, worker, [...running.keys(), ...results.waitingIds()]);
        if (nowMs - failedAtMs > unsureMs) failedAtMs = undefined;
      }
      return await claimJobs(pgPool, request);
    } catch (error) {
      failedAtMs = performance.now();
      throw error;
    }
  }

  async function claim(): Promise<PollPlan> {
    const laneRoom = await claimForNewcomers();
    const { limit, room, slowRoom } = laneRoom;
    let found = { claimed: 0, limit, isCutShort: false };
    if (limit > 0) {
      const claimed = await claimWithBacklogs(laneRoom, left => claimAndStart({ ...left, perFlag }));
      found = { claimed, limit, isCutShort: claimed >= Math.min(perFlag, slowRoom) || room.size > 0 };
    }
    options.onPoll(worker, running.size < concurrency);
    return planPoll(found, options);
  }

  async function claimAndStart(given: LaneRoom & Pick<Claim, 'perFlag'>): Promise<ClaimedJob[]> {
    const jobs = await claimOrRelease({ worker, names, ...given });
    for (const job of jobs) start(job);
    return jobs;
  }

  /**
   * While places are scarce, each project without one gets one before the others get more.
   *
   * @returns the room that is left. A place that became free during the last claim is not in it: a newcomer comes first
   */
  async function claimForNewcomers(): Promise<LaneRoom> {
    for (;;) {
      const left = flags.room();
      const forNewcomers = flags.newcomerRoom();
      if (forNewcomers === undefined) return left;
      const jobs = await claimAndStart({ ...forNewcomers, perFlag: 1 });
      if (jobs.length === 0) return left;
    }
  }

  function start(job: ClaimedJob): void {
    const leaveFlags = flags.start(job.flags);
    const end = () => {
      running.delete(job.id);
      leaveFlags();
      polls.noteEnd(running.size === 0);
    };
    running.set(job.id, perform(job).finally(end));
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

  return {
    worker,
    wake: polls.wake,
    stop: async () => {
      await polls.stop();
      await Promise.all(running.values());
      await results.close();
    },
  };
}

function failureOf(job: ClaimedJob, error: unknown): FailedJob {
  const text = error instanceof Error ? error.message : String(error);
  // PostgreSQL stores no NUL, and one refused text would keep the results of all jobs beside it from being written.
  return { id: job.id, message: text.replaceAll('\0', ''), attempts: attemptsAfterFailure(error, job) };
}
