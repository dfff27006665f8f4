import pg from 'pg';
import { type DatabaseTimings, keepAlive } from '../database/connections/timings.ts';
import { createConnectionWatch, type WatchedClient, watchedClient } from '../database/connections/watch.ts';

/**
 * The queue does not wait for the disk: after a power failure, completed jobs may run again, and none is lost, since each
 * is added in its own transaction. A connection that breaks while idle is replaced at the next use; without listeners
 * the event would end the process.
 */
export function openWorkerPool(connection: pg.ClientConfig, max: number, timings: DatabaseTimings) {
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
