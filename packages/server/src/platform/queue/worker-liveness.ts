import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { applySettings } from '../database/connections/session-settings.ts';
import { keepAlive } from '../database/connections/timings.ts';
import { endConnection } from '../database/connections/watch.ts';
import { jobsChannel } from './worker-pool.ts';

export interface WorkerLiveness {
  /** The event emitter for the workers. */
  readonly events: WorkerEvents;
  /** Shows that a worker without events is alive. @param wake called when jobs were added */
  add(worker: string, wake: () => void): void;
  /** Aborts when other processes may have taken over the jobs: the workers must stop. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

/** First half of the advisory lock that a running worker holds; the second half is the hash of its name. */
const livenessLock = 7_355_609;
/** A dead connection that was not closed is detected by a query. */
const heartbeatMs = 2_000;
const reconnectMs = 250;
/** Longer than the time to detect a dead connection and to open another one. */
const absenceMs = 4_000;
/** A worker holds its lock well before its job reaches this age. */
const takenForSeconds = 2;

/**
 * Shows to other processes that the workers of this one are alive. Each worker holds an advisory lock on a dedicated
 * connection, which ends with the process. A broken connection is opened again, with its locks, before another process
 * treats the workers as dead; `lost` aborts only when that fails.
 *
 * @throws when the database is unavailable
 */
export async function openWorkerLiveness(connection: pg.ClientConfig): Promise<WorkerLiveness> {
  const lost = new AbortController();
  const closing = new AbortController();
  const names = new Set<string>();
  const wakes: (() => void)[] = [];
  const wakeAll = () => {
    for (const wake of wakes) wake();
  };
  let held = await holdLocks(connection, wakeAll);
  const kept = keepHeld();

  async function keepHeld(): Promise<void> {
    for (;;) {
      await held.ended;
      const again = await reacquireLocks(connection, wakeAll, closing.signal);
      if (closing.signal.aborted) return again?.close();
      if (again === undefined) return lost.abort();
      held = again;
      for (const name of names) held.lock(name);
    }
  }

  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    names.add(workerPool.id);
    held.lock(workerPool.id);
  });
  return {
    events,
    add: (worker, wake) => {
      names.add(worker);
      wakes.push(wake);
      held.lock(worker);
    },
    lost: lost.signal,
    close: () => {
      closing.abort();
      held.close();
      return kept;
    },
  };
}

interface HeldLocks {
  lock(name: string): void;
  /** Resolves when the connection is closed, and every lock with it. */
  readonly ended: Promise<void>;
  close(): void;
}

async function holdLocks(connection: pg.ClientConfig, wakeAll: () => void): Promise<HeldLocks> {
  const client = new pg.Client({
    ...connection,
    ...keepAlive,
    connectionTimeoutMillis: heartbeatMs,
    query_timeout: heartbeatMs,
    application_name: 'tessera jobs',
  });
  const ended = new Promise<void>(resolve => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  client.on('notification', wakeAll);
  const close = () => void endConnection(client);
  try {
    await client.connect();
    await applySettings(client);
    await client.query(`listen "${jobsChannel}"`);
  } catch (error) {
    close();
    throw error;
  }
  let latest: Promise<unknown> = Promise.resolve();
  /** One statement after the other: the driver does not take a second one while one runs. */
  function run(text: string, values: readonly unknown[] = []): void {
    latest = latest.then(() => client.query(text, [...values])).catch(close);
  }
  const heartbeat = setInterval(() => run('select 1'), heartbeatMs);
  return {
    lock: name => run('select pg_advisory_lock_shared($1, hashtext($2))', [livenessLock, name]),
    ended: ended.finally(() => clearInterval(heartbeat)),
    close,
  };
}

/** Undefined when the locks cannot be taken in time. */
async function reacquireLocks(
  connection: pg.ClientConfig,
  wakeAll: () => void,
  closing: AbortSignal,
): Promise<HeldLocks | undefined> {
  const endsAt = performance.now() + absenceMs;
  while (!closing.aborted && performance.now() < endsAt) {
    try {
      return await holdLocks(connection, wakeAll);
    } catch {
      // The database is unavailable; other queries report the cause.
      await pause(reconnectMs);
    }
  }
  return undefined;
}

const isMissing = `not exists (
  select 1 from pg_locks
  where locktype = 'advisory' and classid::bigint = $1 and objid::bigint = hashtext(worker.name)::bigint & 4294967295
    and database = (select oid from pg_database where datname = current_database())
)`;

/**
 * Returns a function that releases the jobs of workers that have been missing for long enough; call it periodically. The
 * queue itself would wait four hours before it assigns the jobs of a killed process to another one.
 */
export function createLostJobRelease(pgPool: pg.Pool): () => Promise<void> {
  const findGone = createMissingTracker(absenceMs);
  return async () => {
    const { rows } = await pgPool.query<{ name: string }>(
      `select worker.name from (
         select distinct locked_by as name from graphile_worker.jobs
         where locked_by is not null and locked_at < now() - $2 * interval '1 second'
       ) worker
       where ${isMissing}`,
      [livenessLock, takenForSeconds],
    );
    const missing = rows.map(({ name }) => name);
    const gone = findGone(missing, performance.now());
    if (gone.length === 0) return;
    await pgPool.query(
      `select graphile_worker.force_unlock_workers(array_agg(worker.name))
       from unnest($2::text[]) worker (name) where ${isMissing} having count(*) > 0`,
      [livenessLock, gone],
    );
  };
}

/** Records since when each name is missing. @returns a function that returns the names that are missing for long enough */
export function createMissingTracker(longEnoughMs: number): (missing: readonly string[], nowMs: number) => string[] {
  let since = new Map<string, number>();
  return (missing, nowMs) => {
    since = new Map(missing.map(name => [name, since.get(name) ?? nowMs]));
    return missing.filter(name => nowMs - (since.get(name) ?? nowMs) >= longEnoughMs);
  };
}
