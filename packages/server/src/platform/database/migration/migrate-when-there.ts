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

/** Migrates, and waits for a database that starts at the same time. */
export async function migrateWhenThere(
  { directConnection, isEmbedded }: MigratedDatabase,
  log: Log,
): Promise<{ applied: string[] }> {
  const deadline = performance.now() + databaseWaitMs;
  for (;;) {
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

const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', '57P03']);

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unreachableCodes.has(String(error.code));
}
