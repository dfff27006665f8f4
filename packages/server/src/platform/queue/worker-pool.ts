import pg from 'pg';
import { applySettings, sessionSettings } from '../database/connections/session-settings.ts';
import { type DatabaseTimings, keepAlive } from '../database/connections/timings.ts';
import { createConnectionWatch, type WatchedClient, watchedClient } from '../database/connections/watch.ts';

/** The queue notifies this channel when a transaction has added jobs. */
export const jobsChannel = 'jobs:insert';

/**
 * The statements of the queue have one good plan: along the index of due jobs. Statistics of a table that fills and
 * empties are wrong most of the time, and with them PostgreSQL sorted the whole table for each claim. Planning anew for
 * the length of each list took longer than most of the statements.
 */
const planSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  // Before PostgreSQL 18 a plan that is avoided has a high cost, for which PostgreSQL compiles the statement for a second.
  jit: 'off',
};

/**
 * The queue does not wait for the disk: after a power failure, completed jobs may run again, and none is lost, since each
 * is added in its own transaction. A connection that breaks while idle is replaced at the next use; without listeners
 * the event would end the process.
 */
export function openWorkerPool(connection: pg.ClientConfig, max: number, timings: DatabaseTimings) {
  // PostgreSQL must not lock jobs for a claim after the client has stopped waiting for it: no worker would run them.
  const settings = {
    ...sessionSettings,
    synchronous_commit: 'off',
    statement_timeout: timings.requestMs,
    ...planSettings,
  };
  const watch = createConnectionWatch(connection, timings);
  const pgPool = new pg.Pool({
    ...connection,
    ...keepAlive,
    Client: watchedClient(timings.requestMs, timings),
    max,
    // The longest wait of a worker for a connection.
    connectionTimeoutMillis: timings.requestMs,
    application_name: 'tessera jobs',
    onConnect: async client => {
      watch.add(client as pg.PoolClient & WatchedClient);
      await applySettings(client, settings);
    },
  });
  pgPool.on('error', () => undefined);
  pgPool.on('connect', client => {
    client.on('error', () => undefined);
    gatherNotifications(client);
  });
  const close = async () => {
    await pgPool.end();
    watch.close();
  };
  return { pgPool, close };
}

/** Further announcements of jobs within this time are one. */
const gatherMs = 100;

/**
 * At each announcement idle workers of the library read past all jobs of the lanes, which takes milliseconds while
 * thousands wait. Ten times a second is often enough, and one worker: the others look every two seconds.
 */
function gatherNotifications(client: pg.PoolClient): void {
  const emit = client.emit.bind(client);
  const announcement = { channel: jobsChannel, payload: '{"count":1}' };
  let timer: NodeJS.Timeout | undefined;
  let isAnnounced = false;

  function announce(): void {
    isAnnounced = false;
    emit('notification', announcement);
    timer = setTimeout(() => {
      timer = undefined;
      if (isAnnounced) announce();
    }, gatherMs).unref();
  }

  client.emit = (event: string | symbol, ...given: unknown[]) => {
    const [message] = given as [pg.Notification?];
    if (event !== 'notification' || message?.channel !== jobsChannel) return emit(event, ...given);
    isAnnounced = true;
    if (timer === undefined) announce();
    return true;
  };
}
