import type pg from 'pg';
import type { Log } from '../../observability/log.ts';
import { assertOneDatabase } from '../connections/one-database.ts';
import { assertKeepsSession } from '../connections/pooler.ts';
import { retryWhileAway } from '../retry-while-away.ts';
import { migrate } from './migrate.ts';

interface MigratedDatabase {
  readonly connection: pg.ClientConfig;
  readonly directConnection: pg.ClientConfig;
  readonly replica?: pg.ClientConfig;
  readonly isEmbedded: boolean;
}

/**
 * Migrates, and waits for a database that starts or fails over at the same time. An interrupted migration is run again.
 *
 * @throws the reason of `signal` as soon as it aborts. A statement that runs then ends with the process.
 */
export function migrateWithRetries(
  database: MigratedDatabase,
  log: Log,
  signal: AbortSignal,
): Promise<{ applied: string[] }> {
  const work = async () => {
    if (!database.isEmbedded) await assertConnections(database);
    return migrate(database.directConnection, undefined, {
      report: (details, message) => log.info(details, message),
    });
  };
  return retryWhileAway(work, log, signal);
}

/** Before the first change: a migration of the wrong database cannot be taken back. */
async function assertConnections(database: MigratedDatabase): Promise<void> {
  await assertKeepsSession(database.directConnection);
  await assertOneDatabase(database);
}
