import { startEmbeddedPostgres } from '@tessera/embedded-postgres';
import type pg from 'pg';
import type { Settings } from './env.ts';
import { connectionsOfProcess } from './platform/database/connections/counts.ts';
import type { Log } from './platform/observability/log.ts';

/** How the processes of a server connect to its database. */
export interface DatabaseConnections {
  /** The server starts this PostgreSQL itself, so no pooler is in between. */
  readonly isEmbedded: boolean;
  readonly connection: pg.ClientConfig;
  /** A direct connection to PostgreSQL, when `connection` leads through a pooler. */
  readonly directConnection: pg.ClientConfig;
  /** A read replica, if there is one. */
  readonly replica?: pg.ClientConfig;
}

/** The database of a server, open for connections. */
export interface ServerDatabase extends DatabaseConnections {
  stop(): Promise<void>;
}

const embeddedMinConnections = 50;
/** A start opens these for a moment. */
const startConnections = 5;

/** Enough for all workers, and for the one that a restart starts before it stops the earlier one. */
function embeddedMaxConnections(settings: Pick<Settings, 'workers' | 'databasePool'>): number {
  const needed = (settings.workers + 1) * connectionsOfProcess(settings) + startConnections;
  return Math.max(embeddedMinConnections, needed);
}

/**
 * Finds the database, and starts the embedded one without `DATABASE_URL`.
 *
 * @param onLaunch called while the embedded one starts in processes of its own
 */
export async function openServerDatabase(settings: Settings, log: Log, onLaunch?: () => void): Promise<ServerDatabase> {
  const { databaseUrl, databaseDirectUrl = databaseUrl, databaseReadUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    return {
      isEmbedded: false,
      connection: { connectionString: databaseUrl },
      directConnection: { connectionString: databaseDirectUrl },
      ...(databaseReadUrl === undefined ? {} : { replica: { connectionString: databaseReadUrl } }),
      stop: async () => undefined,
    };
  }
  const { connection, stop } = await startEmbeddedPostgres({
    dataDir,
    onLaunch,
    settings: { max_connections: String(embeddedMaxConnections(settings)) },
    log: (message, details) => log.info(details ?? {}, message),
  });
  return { isEmbedded: true, connection, directConnection: connection, stop };
}
