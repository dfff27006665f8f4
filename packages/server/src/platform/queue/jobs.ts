import { setTimeout as delay } from 'node:timers/promises';
import type { Runner, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { connectionCounts } from '../database/connections/counts.ts';
import { type DatabaseTimings, databaseTimings } from '../database/connections/timings.ts';
import type { Log } from '../observability/log.ts';
import { type Lane, startLane } from './lane/lane.ts';
import { cronItem, taskListOf } from './task-list.ts';
import type { Work } from './work.ts';
import { type WorkWatch, watchWork } from './work-watch.ts';
import { createLostJobRelease, openWorkerLiveness } from './worker-liveness.ts';
import { openWorkerPool } from './worker-pool.ts';

export interface RunningJobs {
  /** Starts no new jobs, and waits for the running ones. */
  stop(): Promise<void>;
}

const concurrency = 4;
const firstRestartMs = 1_000;
const maxRestartMs = 5_000;
/** Workers that ran for this long are restarted after the shortest pause. */
const ranWellMs = 30_000;
/** The longest wait of a stop for running jobs; the next process runs them again. */
const stopTimeoutMs = 10_000;
/**
 * Results of jobs are written in batches: only batches are retried when the connection breaks. The write of a single
 * result would be an unhandled rejection, and end the process (graphile-worker 0.17.3).
 */
const batched = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

export interface JobsOptions extends Work {
  readonly connection: pg.ClientConfig;
  readonly log: Log;
  readonly timings?: Partial<DatabaseTimings>;
}

/**
 * Runs jobs in this process until it is stopped. The workers restart after an outage of the database, and take over the
 * jobs of dead workers.
 */
export function startJobs(options: JobsOptions): RunningJobs {
  const { log } = options;
  const stopping = new AbortController();
  const done = superviseWorkers();

  async function superviseWorkers(): Promise<void> {
    let restartMs = firstRestartMs;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        await runWorkers(options, stopping.signal);
      } catch (error) {
        log.warn({ error }, 'the job workers ended and are restarted');
      }
      const ranWell = performance.now() - startedAt > ranWellMs;
      restartMs = ranWell ? firstRestartMs : Math.min(restartMs * 2, maxRestartMs);
      await pause(restartMs, stopping.signal);
    }
  }

  return {
    stop: async () => {
      stopping.abort();
      await waitForStop(done);
    },
  };
}

async function runWorkers(options: JobsOptions, signal: AbortSignal): Promise<void> {
  const { tasks, lanes = [], connection, log } = options;
  const graphile = await import('graphile-worker');
  if (signal.aborted) return;
  const timings = { ...databaseTimings, ...options.timings };
  const liveness = await openWorkerLiveness(connection);
  const { pgPool, close } = openWorkerPool(connection, connectionCounts.jobs, timings);
  const work = watchWork(liveness.events, timings.stalledMs);
  const check = startCheck({ work, pgPool, timings, log });
  const runners: Runner[] = [];
  const started: Lane[] = [];
  try {
    for (const lane of lanes) started.push(startLane({ ...lane, tasks, pgPool, log, onPoll: work.note }));
    for (const { worker, wake } of started) liveness.add(worker, wake);
    const laneNames = new Set(lanes.flatMap(({ names }) => names));
    const otherNames = Object.keys(tasks).filter(name => !laneNames.has(name));
    if (otherNames.length > 0) {
      runners.push(await startRunner(graphile, otherNames, { ...options, pgPool, events: liveness.events }));
    }
    await waitForEnd(runners, AbortSignal.any([signal, liveness.lost, check.stalled]));
  } finally {
    check.stop();
    // A job that never ends must not stop the others from running.
    const stopped = Promise.allSettled([
      ...runners.flatMap(runner => [runner.stop(), runner.promise]),
      ...started.map(lane => lane.stop()),
    ]).then(close);
    await waitForStop(stopped);
    await liveness.close();
  }
}

interface CheckOptions {
  readonly work: WorkWatch;
  readonly pgPool: pg.Pool;
  readonly timings: DatabaseTimings;
  readonly log: Log;
}

/** Releases the jobs of dead workers again and again. Its signal says that the own workers complete no poll any more. */
function startCheck({ work, pgPool, timings, log }: CheckOptions): { stalled: AbortSignal; stop(): void } {
  const { stalledMs, workCheckMs } = timings;
  const stalled = new AbortController();
  const releaseLostJobs = createLostJobRelease(pgPool);

  function check(): void {
    if (work.isStalled(performance.now()) && !stalled.signal.aborted) {
      log.warn({ stalledMs }, 'the job workers have completed no poll of the queue and are replaced');
      stalled.abort();
    }
    releaseLostJobs().catch((error: unknown) => log.debug({ error }, 'the check for lost jobs failed'));
  }

  check();
  const timer = setInterval(check, workCheckMs);
  return { stalled: stalled.signal, stop: () => clearInterval(timer) };
}

/** Starts the workers of the jobs that belong to no lane. */
function startRunner(
  { Logger, parseCronItems, run }: typeof import('graphile-worker'),
  names: readonly string[],
  { tasks, crons = [], log, pgPool, events }: JobsOptions & { pgPool: pg.Pool; events: WorkerEvents },
): Promise<Runner> {
  return run({
    pgPool,
    preset: batched,
    noHandleSignals: true,
    logger: new Logger(() => createQueueLogger(log)),
    events,
    taskList: taskListOf(tasks, names),
    concurrency,
    parsedCronItems: parseCronItems(crons.map(cronItem)),
  });
}

/** Resolves at the signal, and fails when one of the runners does. */
async function waitForEnd(runners: readonly Runner[], signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await Promise.race([ended, ...runners.map(runner => runner.promise)]);
}

const levels = { error: 'warn', warning: 'warn', info: 'debug', debug: 'trace' } as const;

function createQueueLogger(log: Log) {
  return (level: string, message: string) => {
    log[levels[level as keyof typeof levels] ?? 'debug'](`jobs: ${message}`);
  };
}

/** Waits until the work has stopped, up to `stopTimeoutMs`. */
async function waitForStop(work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, pause(stopTimeoutMs, timeout.signal)]);
  timeout.abort();
}

/** Ends early, without an error, when the signal comes; leaves no listener behind. */
async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal }).catch(() => undefined);
}
