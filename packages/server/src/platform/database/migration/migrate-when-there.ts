import type pg from 'pg';
import type { Log } from '../../observability/log.ts';
import { assertKeepsSession } from '../connections/pooler.ts';
import { migrate } from './migrate.ts';

const databaseWaitMs = 30_000;
const databaseRetryMs = 500;

/** Migrates, and waits for a database that starts at the same time. */
export async function migrateWhenThere(connection: pg.ClientConfig, log: Log): Promise<{ applied: string[] }> {
  const deadline = performance.now() + databaseWaitMs;
  for (;;) {
    try {
      await assertKeepsSession(connection);
      return await migrate(connection);
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
