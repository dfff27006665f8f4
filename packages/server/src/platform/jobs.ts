import { EventEmitter } from 'node:events';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import type { Transaction } from './db.ts';
import type { Log } from './log.ts';
import { sql } from './sql.ts';

/** What is done for a job. It may be done again when the process dies before it is through. */
export type Task = (payload: unknown) => Promise<void>;

/** Every kind of job, by name. */
export type Tasks = Readonly<Record<string, Task>>;

export interface RunningJobs {
  /** Takes no new jobs, and waits for those that run. */
  stop(): Promise<void>;
}

const concurrency = 4;
/** One listens; the workers share the others to fetch jobs and to write their ends. */
const poolSize = concurrency + 2;
const firstRestartMs = 1_000;
const maxRestartMs = 30_000;
/** A stop waits no longer than this for jobs that run: they are done again by the next process. */
const stopTimeoutMs = 10_000;
const releaseEveryMs = 3_000;
/** A worker holds its presence lock well before a job that it took is this old. */
const takenForSeconds = 2;
/** Number of graphile-worker's newest migration; a test compares. */
export const queueSchemaVersion = 19;
/** First half of the advisory lock that a running worker holds; the second is the hash of its name. */
const presenceLock = 7_355_609;

/**
 * Ends of jobs are written in batches: only these are tried again when the connection breaks meanwhile. A single one
 * would be a rejection that nobody handles, and end the process (graphile-worker 0.17.3).
 */
const batched = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** Puts a job into the queue: it is done if and only if the transaction commits, and not before that. */
export async function addJob(
  tx: Transaction,
  task: string,
  payload: object,
  { delayMs = 0 }: { delayMs?: number } = {},
): Promise<void> {
  await tx.query(sql`
    select graphile_worker.add_job(
      ${task}, payload => ${JSON.stringify(payload)}::json, run_at => now() + ${delayMs} * interval '1 millisecond'
    )
  `);
}

/** Brings the queue's own tables up to date. Several processes may do so at once. */
export async function prepareQueue(client: pg.ClientBase, connection: pg.ClientConfig): Promise<void> {
  if (await isQueueReady(client)) return;
  const { runMigrations } = await import('graphile-worker');
  const pgPool = openPool(connection, 1);
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

/**
 * Does jobs as they come, in this process, until it is stopped. Comes back by itself when the database was away, and
 * takes over the jobs of workers that died.
 */
export function startJobs(options: { connection: pg.ClientConfig; tasks: Tasks; log: Log }): RunningJobs {
  const { connection, tasks, log } = options;
  const stopping = new AbortController();
  const done = superviseWorker();

  async function superviseWorker(): Promise<void> {
    let restartMs = firstRestartMs;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      try {
        await runWorker({ connection, tasks, log, signal: stopping.signal });
      } catch (error) {
        log.warn({ error }, 'the job worker ended and starts again');
      }
      const ranWell = performance.now() - startedAt > maxRestartMs;
      restartMs = ranWell ? firstRestartMs : Math.min(restartMs * 2, maxRestartMs);
      await pause(restartMs, stopping.signal);
    }
  }

  return {
    stop: async () => {
      stopping.abort();
      const patience = new AbortController();
      await Promise.race([done, pause(stopTimeoutMs, patience.signal)]);
      patience.abort();
    },
  };
}

/** Does the jobs that are due, those that they bring about included, and returns. */
export async function runDueJobs(options: { connection: pg.ClientConfig; tasks: Tasks; log: Log }): Promise<void> {
  const { Logger, runOnce } = await import('graphile-worker');
  const pgPool = openPool(options.connection, 2);
  try {
    await runOnce({
      pgPool,
      taskList: taskListOf(options.tasks),
      concurrency: 1,
      noHandleSignals: true,
      preset: batched,
      logger: new Logger(() => logTo(options.log)),
    });
  } finally {
    await pgPool.end();
  }
}

/**
 * The queue need not wait for the disk: when the machine loses power, jobs that were done are done again, and none is
 * lost, since they are added in transactions of their own. A connection that breaks while idle is replaced at the next
 * use; without listeners Node would end the process.
 */
function openPool(connection: pg.ClientConfig, max: number): pg.Pool {
  const options = '-c synchronous_commit=off';
  const pool = new pg.Pool({ ...connection, max, options, keepAlive: true, application_name: 'tessera jobs' });
  pool.on('error', () => undefined);
  pool.on('connect', client => client.on('error', () => undefined));
  return pool;
}

async function runWorker(options: {
  connection: pg.ClientConfig;
  tasks: Tasks;
  log: Log;
  signal: AbortSignal;
}): Promise<void> {
  const { Logger, run } = await import('graphile-worker');
  const { connection, log, signal } = options;
  if (signal.aborted) return;
  const presence = await openPresence(connection);
  const pgPool = openPool(connection, poolSize);
  const timer = setInterval(() => {
    releaseLostJobs(pgPool).catch((error: unknown) => log.debug({ error }, 'lost jobs were not looked for'));
  }, releaseEveryMs);
  try {
    await releaseLostJobs(pgPool);
    const runner = await run({
      pgPool,
      taskList: taskListOf(options.tasks),
      parsedCronItems: [],
      concurrency,
      preset: batched,
      noHandleSignals: true,
      logger: new Logger(() => logTo(log)),
      events: presence.events,
    });
    await stoppedBy(AbortSignal.any([signal, presence.lost]), runner);
  } finally {
    clearInterval(timer);
    await pgPool.end();
    await presence.close();
  }
}

interface Presence {
  /** To be given to the worker. */
  readonly events: WorkerEvents;
  /** Without presence others may take the worker's jobs: it must stop. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

/** A worker holds a lock in its name, on a connection of its own: it goes away with the process, however that ends. */
async function openPresence(connection: pg.ClientConfig): Promise<Presence> {
  const lost = new AbortController();
  const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'tessera jobs' });
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    client
      .query('select pg_advisory_lock_shared($1, hashtext($2))', [presenceLock, workerPool.id])
      .catch(() => lost.abort());
  });
  return { events, lost: lost.signal, close: () => client.end() };
}

/** The queue itself would wait four hours before it hands the jobs of a killed process to somebody else. */
async function releaseLostJobs(pgPool: pg.Pool): Promise<void> {
  await pgPool.query(
    `select graphile_worker.force_unlock_workers(array_agg(lost.name)) from (
       select distinct locked_by as name from graphile_worker.jobs
       where locked_by is not null and locked_at < now() - $2 * interval '1 second'
     ) lost
     where not exists (
       select 1 from pg_locks
       where locktype = 'advisory' and classid::bigint = $1 and objid::bigint = hashtext(lost.name)::bigint & 4294967295
         and database = (select oid from pg_database where datname = current_database())
     )
     having count(*) > 0`,
    [presenceLock, takenForSeconds],
  );
}

async function stoppedBy(signal: AbortSignal, runner: Runner): Promise<void> {
  const stop = () => {
    runner.stop().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await runner.promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function taskListOf(tasks: Tasks): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(payload)]));
}

const levels = { error: 'warn', warning: 'warn', info: 'debug', debug: 'trace' } as const;

function logTo(log: Log) {
  return (level: string, message: string) => {
    log[levels[level as keyof typeof levels] ?? 'debug'](`jobs: ${message}`);
  };
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
