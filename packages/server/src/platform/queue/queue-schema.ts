import pg from 'pg';
import { applySettings, unlimitedSettings } from '../database/connections/session-settings.ts';
import { keepAlive } from '../database/connections/timings.ts';
import { OperatorError } from '../operator-error.ts';

/** Number of graphile-worker's newest migration; checked by a test. */
export const queueSchemaVersion = 19;

/** Updates the queue's own tables. Several processes may call it at once. */
export async function prepareQueue(connection: pg.ClientConfig): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  const pgPool = new pg.Pool({
    ...connection,
    ...keepAlive,
    max: 1,
    application_name: 'tessera jobs',
    onConnect: client => applySettings(client, unlimitedSettings),
  });
  pgPool.on('error', () => undefined);
  pgPool.on('connect', client => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

/**
 * Avoids loading the library during a start: it is needed only once the server listens.
 *
 * @throws OperatorError when the account of `client` sees no row of the queue
 */
export async function isQueueReady(client: pg.ClientBase): Promise<boolean> {
  const exists = await client.query(`select to_regclass('graphile_worker.migrations') is not null as yes`);
  if (exists.rows[0]?.yes !== true) return false;
  const { rows } = await client.query<{ newest: number | null }>(
    'select max(id) as newest from graphile_worker.migrations',
  );
  await assertSeesJobs(client);
  return Number(rows[0]?.newest ?? 0) >= queueSchemaVersion;
}

/** The queue's tables have row security without a policy: for other accounts than the owner they are empty and closed. */
async function assertSeesJobs(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ account: string; isHidden: boolean }>(
    `select current_user as account, row_security_active(oid) as "isHidden" from pg_class
     where oid = to_regclass('graphile_worker._private_jobs')`,
  );
  const [row] = rows;
  if (row?.isHidden !== true) return;
  throw new OperatorError(
    `The account ${row.account} sees no row of the job queue, so no email and no webhook would be sent. Use the owner of the tables, or let it pass row security: alter role ${row.account} bypassrls`,
  );
}
