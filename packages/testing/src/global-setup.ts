import { startEmbeddedPostgres } from '@tessera/embedded-postgres';
import { migrate } from '@tessera/server';
import type { TestProject } from 'vitest/node';
import { makeDataFolder, removeDataFolder } from './data-folder.ts';
import { asAdministrator, type TestPostgres } from './database.ts';
import { startDebianPostgres } from './debian-postgres.ts';

const templateDatabase = 'tessera_template';

/** The cluster is deleted after the tests, so no write has to reach the disk. */
const disposable = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '4GB',
  // Each server of a test has a pool.
  max_connections: '200',
};

/** One PostgreSQL for all tests of a project, with a migrated database as the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = project.name.endsWith('postgres-15') ? await startDebianPostgres() : await startEmbedded();
  await asAdministrator(server.postgres, client => client.query(`create database ${templateDatabase}`));
  await migrate({ ...server.postgres, database: templateDatabase });
  project.provide('postgres', server.postgres);
  project.provide('templateDatabase', templateDatabase);
  return server.stop;
}

async function startEmbedded(): Promise<{ postgres: TestPostgres; stop(): Promise<void> }> {
  const dataDir = await makeDataFolder();
  const embedded = await startEmbeddedPostgres({ dataDir, settings: disposable });
  return {
    postgres: embedded.connection,
    stop: async () => {
      await embedded.stop();
      await removeDataFolder(dataDir);
    },
  };
}
