import { setTimeout as delay } from 'node:timers/promises';
import type { CronItem, JobHelpers, Runner, TaskList } from 'graphile-worker';
import pg from 'pg';
import type { Queryable, Transaction } from '../database/database.ts';
import { type Statement, sql } from '../database/sql.ts';
import { type DatabaseTimings, databaseTimings, keepAlive } from '../database/timings.ts';
import { createConnectionWatch, type WatchedClient, watchedClient } from '../database/watch.ts';
import type { Log } from '../observability/log.ts';
import { WrittenByNewerVersion } from './newer-version.ts';
import { watchWork } from './work-watch.ts';
import { createLostJobRelease, openWorkerLiveness } from './worker-liveness.ts';

/** Handles a job. It may run again for the same job when the process dies before the end. */
export type Task = (payload: unknown) => Promise<void>;

/** The handler of each job type, by name. */
export type Tasks = Readonly<Record<string, Task>>;

/** The tasks and schedules of a worker process. */
export interface Work {
  readonly tasks: Tasks;
  readonly waiting?: WaitingWork;
  readonly crons?: readonly Cron[];
}

/** Jobs that wait for remote servers: they have workers of their own, so that they do not delay other jobs. */
export interface WaitingWork {
  /** Names of the job types. */
  readonly names: readonly string[];
  /** Returns the flags of jobs that must not start at the moment. */
  readonly held: () => string[];
}

/** A scheduled job: each run is one job for all processes. */
export interface Cron {
  readonly task: string;
  /** A crontab expression: `* * * * *` is every minute. */
  readonly when: string;
}

export interface RunningJobs {
  /** Starts no new jobs, and waits for the running ones. */
  stop(): Promise<void>;
}

const concurrency = 4;
/** These jobs mostly wait for responses. */
const waitingConcurrency = 8;
/** Two listen; the workers share the others to fetch jobs and to write their results. */
const poolSize = concurrency + 4;
const firstRestartMs = 1_000;
const maxRestartMs = 5_000;
/** Workers that ran for this long are restarted after the shortest pause. */
const ranWellMs = 30_000;
/** The longest wait of a stop for running jobs; the next process runs them again. */
const stopTimeoutMs = 10_000;
/** Number of graphile-worker's newest migration; checked by a test. */
export const queueSchemaVersion = 19;
/**
 * Results of jobs are written in batches: only batches are retried when the connection breaks. The write of a single
 * result would be an unhandled rejection, and end the process (graphile-worker 0.17.3).
 */
const batched = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

const leaveForNewerMs = 24 * 3600 * 1000;
/** At this number of attempts the queue retries a failed job after e² = 7 seconds. */
const leftAttempts = 2;

interface JobOptions {
  readonly delayMs?: number;
  readonly flags?: readonly string[] | null;
  readonly queueName?: string | null;
  readonly key?: string | null;
}

/**
 * Adds a job to the queue: it runs if and only if the transaction commits, and not before.
 *
 * @param flags jobs with a held flag do not start
 * @param queueName jobs with the same name never run at the same time
 * @param key replaces a job with this key that has not started
 */
export async function addJob(
  tx: Transaction,
  task: string,
  payload: object,
  { delayMs = 0, flags = null, queueName = null, key = null }: JobOptions = {},
): Promise<void> {
  await tx.query(sql`
    select graphile_worker.add_job(
      ${task}, payload => ${JSON.stringify(payload)}::json, flags => ${flags},
      queue_name => ${queueName}, job_key => ${key},
      run_at => now() + ${delayMs} * interval '1 millisecond'
    )
  `);
}

/**
 * The same for many jobs of one type.
 *
 * @param priority jobs with a lower number run first; default 0
 */
export async function addJobs(
  tx: Transaction,
  task: string,
  payloads: readonly object[],
  { priority = 0 }: { priority?: number } = {},
): Promise<void> {
  await tx.query(sql`
    select count(graphile_worker.add_job(${task}, payload => job.payload, priority => ${priority}))
    from json_array_elements(${JSON.stringify(payloads)}::json) job (payload)
  `);
}

/**
 * The call that adds a job, as an expression of a statement that also writes the rows of the job.
 *
 * @param payload an expression of type `json`
 * @param flags an expression of type `text[]`; jobs with a held flag do not start
 */
export function addJobExpression(task: string, payload: Statement, flags?: Statement): Statement {
  return sql`graphile_worker.add_job(${task}, payload => ${payload}${flags === undefined ? sql`` : sql`, flags => ${flags}`})`;
}

/** Deletes the jobs of a project that no worker has started, of all kinds: each job names its project. */
export async function deleteProjectJobs(db: Queryable, projectId: string): Promise<void> {
  await db.query(sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker._private_jobs
    where payload ->> 'projectId' = ${projectId} and locked_at is null
    having count(*) > 0
  `);
}

/** Updates the queue's own tables. Several processes may call it at once. */
export async function prepareQueue(client: pg.ClientBase, connection: pg.ClientConfig): Promise<void> {
  if (await isQueueReady(client)) return;
  const { runMigrations } = await import('graphile-worker');
  const pgPool = new pg.Pool({ ...connection, ...keepAlive, max: 1, application_name: 'tessera jobs' });
  pgPool.on('error', () => undefined);
  pgPool.on('connect', client => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

/** Avoids loading the library during a start: it is needed only once the server listens. */
export async function isQueueReady(client: pg.ClientBase): Promise<boolean> {
  const exists = await client.query(`select to_regclass('graphile_worker.migrations') is not null as yes`);
  if (exists.rows[0]?.yes !== true) return false;
  const { rows } = await client.query<{ newest: number | null }>(
    'select max(id) as newest from graphile_worker.migrations',
  );
  return Number(rows[0]?.newest ?? 0) >= queueSchemaVersion;
}

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
      await waitAtMost(stopTimeoutMs, done);
    },
  };
}

/** Runs the jobs that are due, and those that they add, and returns. */
export async function runDueJobs(options: { connection: pg.ClientConfig; tasks: Tasks; log: Log }): Promise<void> {
  const { Logger, runOnce } = await import('graphile-worker');
  const { pgPool, close } = openPool(options.connection, 2, databaseTimings);
  try {
    await runOnce({
      pgPool,
      taskList: taskListOf(options.tasks),
      concurrency: 1,
      noHandleSignals: true,
      preset: batched,
      logger: new Logger(() => createQueueLogger(options.log)),
    });
  } finally {
    await close();
  }
}

/**
 * The queue does not wait for the disk: after a power failure, completed jobs may run again, and none is lost, since each
 * is added in its own transaction. A connection that breaks while idle is replaced at the next use; without listeners
 * the event would end the process.
 */
function openPool(connection: pg.ClientConfig, max: number, timings: DatabaseTimings) {
  const watch = createConnectionWatch(connection, timings);
  const pgPool = new pg.Pool({
    ...connection,
    ...keepAlive,
    Client: watchedClient(timings.requestMs, timings),
    max,
    options: '-c synchronous_commit=off',
    // The longest wait of a worker for a connection.
    connectionTimeoutMillis: timings.requestMs,
    application_name: 'tessera jobs',
  });
  pgPool.on('error', () => undefined);
  pgPool.on('connect', client => {
    client.on('error', () => undefined);
    watch.add(client as pg.PoolClient & WatchedClient);
  });
  const close = async () => {
    await pgPool.end();
    watch.close();
  };
  return { pgPool, close };
}

async function runWorkers(
  { tasks, waiting, crons = [], connection, log, timings: given }: JobsOptions,
  signal: AbortSignal,
): Promise<void> {
  const { Logger, parseCronItems, run } = await import('graphile-worker');
  if (signal.aborted) return;
  const timings = { ...databaseTimings, ...given };
  const liveness = await openWorkerLiveness(connection);
  const work = watchWork(liveness.events, timings.stalledMs);
  const stalled = new AbortController();
  const { pgPool, close } = openPool(connection, poolSize, timings);
  const releaseLostJobs = createLostJobRelease(pgPool);
  const releaseAndReport = () => {
    if (work.isStalled(performance.now()) && !stalled.signal.aborted) {
      log.warn(
        { stalledMs: timings.stalledMs },
        'the job workers have completed no poll of the queue and are replaced',
      );
      stalled.abort();
    }
    releaseLostJobs().catch((error: unknown) => log.debug({ error }, 'the check for lost jobs failed'));
  };
  const timer = setInterval(releaseAndReport, timings.workCheckMs);
  const common = {
    pgPool,
    preset: batched,
    noHandleSignals: true,
    logger: new Logger(() => createQueueLogger(log)),
    events: liveness.events,
  };
  const isWaiting = (name: string) => waiting?.names.includes(name) === true;
  const lanes = [
    {
      taskList: taskListOf(tasks, name => !isWaiting(name)),
      concurrency,
      parsedCronItems: parseCronItems(crons.map(cronItem)),
    },
    {
      taskList: taskListOf(tasks, isWaiting),
      concurrency: waitingConcurrency,
      forbiddenFlags: waiting?.held ?? null,
      parsedCronItems: [],
    },
  ].filter(({ taskList }) => Object.keys(taskList).length > 0);
  const runners: Runner[] = [];
  try {
    releaseAndReport();
    for (const lane of lanes) runners.push(await run({ ...common, ...lane }));
    await waitForEnd(runners, AbortSignal.any([signal, liveness.lost, stalled.signal]));
  } finally {
    clearInterval(timer);
    // A job that never ends must not stop the others from running.
    const stopped = Promise.allSettled(runners.flatMap(runner => [runner.stop(), runner.promise])).then(close);
    await waitAtMost(stopTimeoutMs, stopped);
    await liveness.close();
  }
}

/** Resolves at the signal, and fails when one of the runners does. */
async function waitForEnd(runners: readonly Runner[], signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await Promise.race([ended, ...runners.map(runner => runner.promise)]);
}

/** The queue of a scheduled job. */
export function cronQueue(task: string): string {
  return `cron ${task}`;
}

/** Runs in its own queue, so that no run starts before the last one ends. A failed run is not retried: the next follows. */
function cronItem({ task, when }: Cron): CronItem {
  return { task, match: when, options: { queueName: cronQueue(task), maxAttempts: 1, backfillPeriod: 0 } };
}

function taskListOf(tasks: Tasks, isWanted: (name: string) => boolean = () => true): TaskList {
  const wanted = Object.entries(tasks).filter(([name]) => isWanted(name));
  return Object.fromEntries(
    wanted.map(([name, task]) => [name, (payload, helpers) => tryTask(task, payload, helpers)]),
  );
}

/**
 * A job that this process cannot decrypt is left to one that can: during a rolling upgrade newer and older processes
 * share the queue. Its attempts are not counted for a day; after that it fails like any other job.
 */
async function tryTask(task: Task, payload: unknown, { job, query }: JobHelpers): Promise<void> {
  try {
    await task(payload);
  } catch (error) {
    const ageMs = Date.now() - job.created_at.getTime();
    if (error instanceof WrittenByNewerVersion && ageMs < leaveForNewerMs) {
      await query('update graphile_worker._private_jobs set attempts = $2 where id = $1', [job.id, leftAttempts]);
    }
    throw error;
  }
}

const levels = { error: 'warn', warning: 'warn', info: 'debug', debug: 'trace' } as const;

function createQueueLogger(log: Log) {
  return (level: string, message: string) => {
    log[levels[level as keyof typeof levels] ?? 'debug'](`jobs: ${message}`);
  };
}

/** Waits for the work, up to the timeout. */
async function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([work, pause(timeoutMs, timeout.signal)]);
  timeout.abort();
}

/** Ends early, without an error, when the signal comes; leaves no listener behind. */
async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal }).catch(() => undefined);
}
