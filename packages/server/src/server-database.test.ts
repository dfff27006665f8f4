import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readSettings } from './env.ts';
import { createLog } from './platform/observability/log.ts';
import { openServerDatabase } from './server-database.ts';

test.each([
  { workers: '1', pool: '1', expected: '50' },
  { workers: '4', pool: '10', expected: '135' },
])('the embedded PostgreSQL of $workers workers with pools of $pool allows $expected connections', async row => {
  const dataDir = await makeDataFolder();
  const settings = readSettings({
    TESSERA_DATA_DIR: dataDir,
    TESSERA_WORKERS: row.workers,
    TESSERA_DATABASE_POOL: row.pool,
  });
  const database = await openServerDatabase(settings, createLog({ level: 'silent' }));
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query('show max_connections');
  await client.end();
  await database.stop();
  await removeDataFolder(dataDir);
  expect(rows).toEqual([{ max_connections: row.expected }]);
});
