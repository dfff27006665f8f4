import type { CronItem, JobHelpers, Runner, TaskList } from 'graphile-worker';
import pg from 'pg';
import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { type DatabaseTimings, databaseTimings, keepAlive } from '../database/timings.ts';
import { createConnectionWatch, type WatchedClient, watchedClient } from '../database/watch.ts';
import type { Log } from '../observability/log.ts';
import { WrittenByNewerVersion } from './newer-version.ts';
import { watchWork } from './work-watch.ts';
import { createLostJobRelease, openWorkerLiveness } from './worker-liveness.ts';

/** What is done for a job. It may be done again when the process dies before it is through. */
export type Task = (payload: unknown) => Promise<void>;

/** Every kind of job, by name. */
export type Tasks = Readonly<Record<string, Task>>;

/** Which kinds of jobs are done where. */
export interface Work {
  readonly tasks: Tasks;
  readonly waiting?: WaitingWork;
  readonly crons?: readonly Cron[];
}

/** Jobs that wait for servers of strangers: workers of their own do them, so that nothing else waits along. */
export interface WaitingWork {
  /** Names of the kinds of jobs. */
  readonly names: readonly string[];
  /** Flags of jobs that are left lying for now. */
  readonly held: () => string[];
}

/** A job that comes by itself: one for all processes, each time. */
export interface Cron {
  readonly task: string;
  /** In crontab's words: `* * * * *` is every minute. */
  readonly when: string;
}

export interface RunningJobs {
  /** Takes no new jobs, and waits for those that run. */
  stop(): Promise<void>;
}

const concurrency = 4;
/** They wait more than they work. */
const waitingConcurrency = 8;
/** Two listen; the workers share the others to fetch jobs and to write their ends. */
const poolSize = concurrency + 4;
const firstRestartMs = 1_000;
const maxRestartMs = 5_000;
/** Workers that ran for this long start again without a longer pause. */
const ranWellMs = 30_000;
/** A stop waits no longer than this for jobs that run: they are done again by the next process. */
const stopTimeoutMs = 10_000;
/** Number of graphile-worker's newest migration; a test compares. */
export const queueSchemaVersion = 19;
/**
 * Ends of jobs are written in batches: only these are tried again when the connection breaks meanwhile. A single one
 * would be a rejection that nobody handles, and end the process (graphile-worker 0.17.3).
 */
const batched = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

const leaveForNewerMs = 24 * 3600 * 1000;
/** With these attempts the queue tries a failed job again after e² = 7 seconds. */
const leftAttempts = 2;

interface JobOptions {
  readonly delayMs?: number;
  readonly flags?: readonly string[] | null;
  readonly queueName?: string | null;
  readonly key?: string | null;
}

/**
 * Puts a job into the queue: it is done if and only if the transaction commits, and not before that.
 *
 * @param flags by which workers may leave it lying for a while
 * @param queueName of those with one name, no two are done at the same time
 * @param key takes the place of a job with this key that has not begun
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

/** The same for many jobs of one kind. */
export async function addJobs(tx: Transaction, task: string, payloads: readonly object[]): Promise<void> {
  await tx.query(sql`
    select count(graphile_worker.add_job(${task}, payload => job.payload))
    from json_array_elements(${JSON.stringify(payloads)}::json) job (payload)
  `);
}

/** Brings the queue's own tables up to date. Several processes may do so at once. */
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

/** Spares a start the loading of the library: it is needed only once the server listens. */
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
 * Does jobs as they come, in this process, until it is stopped. Comes back by itself when the database was away, and
 * takes over the jobs of workers that died.
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
        log.warn({ error }, 'the job workers ended and start again');
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

/** Does the jobs that are due, those that they bring about included, and returns. */
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
 * The queue need not wait for the disk: when the machine loses power, jobs that were done are done again, and none is
 * lost, since they are added in transactions of their own. A connection that breaks while idle is replaced at the next
 * use; without listeners Node would end the process.
 */
function openPool(connection: pg.ClientConfig, max: number, timings: DatabaseTimings) {
  const watch = createConnectionWatch(connection, timings);
  const pgPool = new pg.Pool({
    ...connection,
    ...keepAlive,
    Client: watchedClient(timings.requestMs, timings),
    max,
    options: '-c synchronous_commit=off',
    // How long a worker waits for a connection.
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
    releaseLostJobs().catch((error: unknown) => log.debug({ error }, 'lost jobs were not looked for'));
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
    // A job that hangs must not keep the others from being done.
    const stopped = Promise.allSettled(runners.flatMap(runner => [runner.stop(), runner.promise])).then(close);
    await waitAtMost(stopTimeoutMs, stopped);
    await liveness.close();
  }
}

/** Resolves when the signal comes, and fails when one of the runners does. */
async function waitForEnd(runners: readonly Runner[], signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await Promise.race([ended, ...runners.map(runner => runner.promise)]);
}

/** The queue of a job that comes by itself. */
export function cronQueue(task: string): string {
  return `cron ${task}`;
}

/** In a queue of its own, so that none begins before the last one is through; a failed one is made up for by the next. */
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
 * A job that this process cannot read is left for a process that can: in a rolling upgrade newer and older ones share
 * the queue. Its attempts are not counted for a day; after that it fails like any other.
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

/** Waits for the work, but not longer than this. */
async function waitAtMost(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([work, pause(timeoutMs, patience.signal)]);
  patience.abort();
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
