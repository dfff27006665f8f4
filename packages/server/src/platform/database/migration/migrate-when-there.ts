import type pg from 'pg';
import type { Log } from '../../observability/log.ts';
import { assertOneDatabase } from '../connections/one-database.ts';
import { assertKeepsSession } from '../connections/pooler.ts';
import { repeatUntilThere } from '../repeat-until-there.ts';
import { migrate } from './migrate.ts';

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
  const work = async () => {
    if (!database.isEmbedded) await assertConnections(database);
    return migrate(database.directConnection, undefined, {
      report: (details, message) => log.info(details, message),
    });
  };
  return repeatUntilThere(work, log, signal);
}

/** Before the first change: a migration of the wrong database cannot be taken back. */
async function assertConnections(database: MigratedDatabase): Promise<void> {
  await assertKeepsSession(database.directConnection);
  await assertOneDatabase(database);
}
