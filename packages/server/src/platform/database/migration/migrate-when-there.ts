import type pg from 'pg';
import type { Log } from '../../observability/log.ts';
import { assertOneDatabase } from '../connections/one-database.ts';
import { assertKeepsSession } from '../connections/pooler.ts';
import { isAway } from '../errors.ts';
import { migrate } from './migrate.ts';

const databaseWaitMs = 30_000;
const databaseRetryMs = 500;

interface MigratedDatabase {
  readonly connection: pg.ClientConfig;
  readonly directConnection: pg.ClientConfig;
  readonly replica?: pg.ClientConfig;
  readonly isEmbedded: boolean;
}

/**
 * Migrates, and waits for a database that starts or fails over at the same time. What it had begun is begun again.
 *
 * @throws the reason of `signal` as soon as it aborts. A statement that runs then ends with the process.
 */
export function migrateWhenThere(
  database: MigratedDatabase,
  log: Log,
  signal: AbortSignal,
): Promise<{ applied: string[] }> {
  return Promise.race([retryMigration(database, log, signal), rejectOnAbort(signal)]);
}

async function retryMigration(
  database: MigratedDatabase,
  log: Log,
  signal: AbortSignal,
): Promise<{ applied: string[] }> {
  const deadline = performance.now() + databaseWaitMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      if (!database.isEmbedded) await assertConnections(database);
      return await migrate(database.directConnection);
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
      log.warn({ error }, 'waiting for the database');
      await new Promise(resolve => setTimeout(resolve, databaseRetryMs));
    }
  }
}

/** Before the first change: a migration of the wrong database cannot be taken back. */
async function assertConnections(database: MigratedDatabase): Promise<void> {
  await assertKeepsSession(database.directConnection);
  await assertOneDatabase(database);
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A migration that fails has the error of the database as its cause. */
function isDatabaseAway(error: unknown): boolean {
  return isAway(error) || (error instanceof Error && isAway(error.cause));
}
