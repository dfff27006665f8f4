import { startEmbeddedPostgres } from '@tessera/embedded-postgres';
import type pg from 'pg';
import type { Settings } from './env.ts';
import { assertKeepsSession } from './platform/database/connections/pooler.ts';
import { migrate } from './platform/database/migration/migrate.ts';
import type { Log } from './platform/observability/log.ts';

const databaseWaitMs = 30_000;
const databaseRetryMs = 500;

/** The database of a server, open for connections. */
export interface ServerDatabase {
  readonly connection: pg.ClientConfig;
  /** A direct connection to PostgreSQL, when `connection` leads through a pooler. */
  readonly directConnection: pg.ClientConfig;
  /** A read replica, if there is one. */
  readonly replica?: pg.ClientConfig;
  stop(): Promise<void>;
}

/** Finds the database, and starts the embedded one without `DATABASE_URL`. */
export async function openServerDatabase(settings: Settings, log: Log): Promise<ServerDatabase> {
  const { databaseUrl, databaseDirectUrl = databaseUrl, databaseReadUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    return {
      connection: { connectionString: databaseUrl },
      directConnection: { connectionString: databaseDirectUrl },
      ...(databaseReadUrl === undefined ? {} : { replica: { connectionString: databaseReadUrl } }),
      stop: async () => undefined,
    };
  }
  const { connection, stop } = await startEmbeddedPostgres({
    dataDir,
    log: (message, details) => log.info(details ?? {}, message),
  });
  return { connection, directConnection: connection, stop };
}

/** Waits for a database that starts at the same time. */
export async function migrateWhenThere(
  { directConnection }: Pick<ServerDatabase, 'directConnection'>,
  log: Log,
): Promise<{ applied: string[] }> {
  const deadline = performance.now() + databaseWaitMs;
  for (;;) {
    try {
      await assertKeepsSession(directConnection);
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
