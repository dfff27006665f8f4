import type pg from 'pg';
import type { Log } from '../../observability/log.ts';
import { assertKeepsSession } from '../connections/pooler.ts';
import { migrate } from './migrate.ts';

const databaseWaitMs = 30_000;
const databaseRetryMs = 500;

interface MigratedDatabase {
  readonly directConnection: pg.ClientConfig;
  readonly isEmbedded: boolean;
}

/**
 * Migrates, and waits for a database that starts at the same time.
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
  { directConnection, isEmbedded }: MigratedDatabase,
  log: Log,
  signal: AbortSignal,
): Promise<{ applied: string[] }> {
  const deadline = performance.now() + databaseWaitMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      if (!isEmbedded) await assertKeepsSession(directConnection);
      return await migrate(directConnection);
    } catch (error) {
      if (!isUnreachable(error) || performance.now() > deadline) throw error;
      log.warn({ error }, 'waiting for the database');
      await new Promise(resolve => setTimeout(resolve, databaseRetryMs));
    }
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', '57P03']);

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unreachableCodes.has(String(error.code));
}
