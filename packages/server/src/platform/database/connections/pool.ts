import pg from 'pg';
import { DatabaseAway } from '../errors.ts';
import { applySettings } from './session-settings.ts';
import { type DatabaseTimings, keepAlive } from './timings.ts';
import { typeParsers } from './type-parsers.ts';
import { type ConnectionWatch, type WatchedClient, watchedClient } from './watch.ts';

export interface BoundedPoolOptions {
  readonly connection: pg.ClientConfig;
  readonly max: number;
  readonly watch: ConnectionWatch;
  readonly timings: DatabaseTimings;
  /** The time limit of the wait for a connection and the statement together. */
  readonly deadlineMs: number;
  /** Settings of every session; undefined behind a pooler. */
  readonly settings: Readonly<Record<string, string | number>> | undefined;
  readonly onIdleError: (error: Error) => void;
}

export type Connection = pg.PoolClient & WatchedClient;

/** A pool that serves callers in order, each within its time limit. */
export interface BoundedPool {
  /** Fails with DatabaseAway when no connection becomes free in time. */
  take(startedAtMs: number, done: TakeCallback): void;
  /** Returns a connection to the pool. A broken one is destroyed. */
  giveBack(connection: Connection, isBroken: boolean): void;
  close(): Promise<void>;
}

/** Gets either the connection or the error. */
type TakeCallback = (error: unknown, connection?: Connection) => void;

interface ConnectionWaiter {
  readonly startedAtMs: number;
  readonly done: TakeCallback;
  isGivenUp: boolean;
}

/** Requests that may wait for a connection; the next one is refused with a 503. */
const maxWaiting = 1_000;

export function createBoundedPool(options: BoundedPoolOptions): BoundedPool {
  const { watch, deadlineMs } = options;
  const pool = createPool(options);
  const pending = new Set<ConnectionWaiter>();
  let waiting: ConnectionWaiter[] = [];
  let free = options.max;

  function connect(waiter: ConnectionWaiter): void {
    pool.connect((error, client) => {
      pending.delete(waiter);
      const connection = client as Connection | undefined;
      if (connection === undefined) {
        passOn();
        if (!waiter.isGivenUp) waiter.done(error);
        return;
      }
      const isSuspect = watch.isSuspect(connection);
      if (!isSuspect && !waiter.isGivenUp) return waiter.done(undefined, connection);
      connection.release(isSuspect);
      if (waiter.isGivenUp) passOn();
      else retry(waiter);
    });
  }

  function retry(waiter: ConnectionWaiter): void {
    pending.add(waiter);
    connect(waiter);
  }

  /** Passes a free connection slot on to the next waiter. */
  function passOn(): void {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (next.isGivenUp) continue;
      connect(next);
      return;
    }
    free++;
  }

  function giveUp(isOverdue: (waiter: ConnectionWaiter) => boolean, reason: string): void {
    for (const waiter of pending) {
      if (!isOverdue(waiter)) continue;
      pending.delete(waiter);
      waiter.isGivenUp = true;
      waiter.done(new DatabaseAway(reason));
    }
    waiting = waiting.filter(waiter => !waiter.isGivenUp);
  }

  watch.onSweep(nowMs => {
    const isSilent = watch.isSilent();
    giveUp(({ startedAtMs }) => isSilent || nowMs - startedAtMs > deadlineMs, 'no connection became free in time');
  });

  return {
    take(startedAtMs, done) {
      if (watch.isSilent()) return done(new DatabaseAway('the database does not answer'));
      if (waiting.length >= maxWaiting) return done(new DatabaseAway('all connections are busy'));
      const waiter = { startedAtMs, done, isGivenUp: false };
      pending.add(waiter);
      if (free === 0) {
        waiting.push(waiter);
        return;
      }
      free--;
      connect(waiter);
    },
    giveBack(connection, isBroken) {
      connection.release(isBroken);
      passOn();
    },
    close() {
      giveUp(() => true, 'the server is stopping');
      return pool.end();
    },
  };
}

function createPool({
  connection,
  max,
  watch,
  timings,
  deadlineMs,
  settings,
  onIdleError,
}: BoundedPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    ...keepAlive,
    Client: watchedClient(deadlineMs, timings),
    types: typeParsers,
    max,
    min: 0,
    allowExitOnIdle: true,
    application_name: 'tessera',
    onConnect: async client => {
      // A connection that breaks in use fails its statement; between two statements only this listener gets the error.
      client.on('error', () => undefined);
      watch.add(client as Connection);
      if (settings !== undefined) await applySettings(client, settings);
    },
  });
  // A connection that breaks while idle is replaced at the next use; without a listener the event ends the process.
  pool.on('error', onIdleError);
  return pool;
}
