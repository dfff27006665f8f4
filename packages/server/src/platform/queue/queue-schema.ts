import pg from 'pg';
import { keepAlive } from '../database/connections/timings.ts';

/** Number of graphile-worker's newest migration; checked by a test. */
export const queueSchemaVersion = 19;

/** Updates the queue's own tables. Several processes may call it at once. */
export async function prepareQueue(connection: pg.ClientConfig): Promise<void> {
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
