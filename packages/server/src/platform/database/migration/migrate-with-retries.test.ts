import { createTestDatabase } from '@tessera/testing/database';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Log } from '../../observability/log.ts';
import { readMigrations } from './migrate.ts';
import { migrateWithRetries } from './migrate-with-retries.ts';

/** As in `migrate.ts`. */
const lockKey = 7_355_608;

test('a migration reports the connection that it waits for, and is begun again when its own connection ends', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => database.drop());
  const other = new pg.Client(database.connection);
  await other.connect();
  onTestFinished(() => other.end());
  // The migration waits for its lock until the test releases it.
  await other.query('select pg_advisory_lock($1)', [lockKey]);
  const warn = vi.fn();
  const info = vi.fn();
  const log = { warn, info } as Partial<Log> as Log;
  const migrated = migrateWithRetries(
    { connection: database.connection, directConnection: database.connection, isEmbedded: true },
    log,
    new AbortController().signal,
  );

  const { rows } = await other.query('select pg_backend_pid() as pid, host(inet_client_addr()) as address');
  await expect
    .poll(() => info.mock.calls, { timeout: 10_000 })
    .toEqual([[rows[0], 'waiting for the process that migrates the database']]);
  const endConnection = () =>
    other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like 'select pg_try_advisory_lock%'`,
    );
  await expect.poll(async () => (await endConnection()).rowCount, { timeout: 10_000 }).toBeGreaterThan(0);
  await expect.poll(() => warn.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  await other.query('select pg_advisory_unlock($1)', [lockKey]);
  expect(await migrated).toEqual({ applied: (await readMigrations()).map(({ name }) => name) });
});

test('a direct connection to another database migrates neither of them', async () => {
  const [database, other] = await Promise.all([createTestDatabase(), createTestDatabase({ isEmpty: true })]);
  onTestFinished(() => Promise.all([database.drop(), other.drop()]).then(() => undefined));
  const connections = {
    connection: { connectionString: database.url },
    directConnection: { connectionString: other.url },
    isEmbedded: false,
  };
  const log = { warn: vi.fn() } as Partial<Log> as Log;
  await expect(migrateWithRetries(connections, log, new AbortController().signal)).rejects.toThrow(
    'lead to different databases',
  );
  expect(await other.query(`select to_regclass('migrations') as name`)).toEqual([{ name: null }]);
});
