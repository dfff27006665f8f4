import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/index.ts';
import { asAdministrator, type TestPostgres } from './database.ts';
import { startDebianPostgres } from './debian-postgres.ts';

const templateDatabase = 'tessera_template';

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
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir });
  return {
    postgres: embedded.connection,
    stop: async () => {
      await embedded.stop();
      for (const folder of [dataDir, embedded.folder]) await rm(folder, { recursive: true, force: true });
    },
  };
}
