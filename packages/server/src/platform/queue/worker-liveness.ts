import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import pg from 'pg';

export interface WorkerLiveness {
  /** To be given to the workers. */
  readonly events: WorkerEvents;
  /** Others take the workers' jobs by now: they must stop. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

/** First half of the advisory lock that a running worker holds; the second is the hash of its name. */
const livenessLock = 7_355_609;
/** A connection that has died without a word is noticed by asking. */
const heartbeatMs = 2_000;
const reconnectMs = 250;
/** Longer than it takes to notice that a connection is gone, and to open another. */
const absenceMs = 4_000;
/** A worker holds its lock well before a job that it took is this old. */
const takenForSeconds = 2;

/**
 * Shows others that the workers of this process are there: each holds a lock in its name, on a connection of its own,
 * which goes away with the process, however that ends. A connection that breaks is opened again, with its locks, before
 * anybody takes the workers for dead; only when that cannot be done are they lost.
 *
 * @throws when there is no database
 */
export async function openWorkerLiveness(connection: pg.ClientConfig): Promise<WorkerLiveness> {
  const lost = new AbortController();
  const closing = new AbortController();
  const names = new Set<string>();
  let held = await holdLocks(connection);
  const kept = keepHeld();

  async function keepHeld(): Promise<void> {
    for (;;) {
      await held.ended;
      const again = await reacquireLocks(connection, closing.signal);
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
  /** Resolves when the connection, and with it every lock, is gone. */
  readonly ended: Promise<void>;
  close(): void;
}

async function holdLocks(connection: pg.ClientConfig): Promise<HeldLocks> {
  const client = new pg.Client({
    ...connection,
    keepAlive: true,
    connectionTimeoutMillis: heartbeatMs,
    query_timeout: heartbeatMs,
    application_name: 'tessera jobs',
  });
  const ended = new Promise<void>(resolve => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  await client.connect();
  const close = () => {
    client.end().catch(() => undefined);
  };
  const heartbeat = setInterval(() => {
    client.query('select 1').catch(close);
  }, heartbeatMs);
  return {
    lock: name => {
      client.query('select pg_advisory_lock_shared($1, hashtext($2))', [livenessLock, name]).catch(close);
    },
    ended: ended.finally(() => clearInterval(heartbeat)),
    close,
  };
}

/** Undefined when it cannot be done in time. */
async function reacquireLocks(connection: pg.ClientConfig, closing: AbortSignal): Promise<HeldLocks | undefined> {
  const endsAt = performance.now() + absenceMs;
  while (!closing.aborted && performance.now() < endsAt) {
    try {
      return await holdLocks(connection);
    } catch {
      // Away for now; why is told by everybody who needs the database for more than this.
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
 * Gives a function that frees the jobs of workers which were missing for long enough; it is to be called again and
 * again. The queue itself would wait four hours before it hands the jobs of a killed process to somebody else.
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

/** Remembers since when each name has been missing. @returns a function that gives those that are for long enough */
export function createMissingTracker(longEnoughMs: number): (missing: readonly string[], nowMs: number) => string[] {
  let since = new Map<string, number>();
  return (missing, nowMs) => {
    since = new Map(missing.map(name => [name, since.get(name) ?? nowMs]));
    return missing.filter(name => nowMs - (since.get(name) ?? nowMs) >= longEnoughMs);
  };
}
