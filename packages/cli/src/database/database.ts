import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { dataFolder } from '../key-file.ts';

export interface DatabaseOptions {
  readonly dataDir?: string;
}

/** An open database: used alone, or shared with running servers. */
export interface OpenedDatabase {
  readonly connection: pg.ClientConfig;
  readonly isEmbedded: boolean;
  /** The installation's secret. @throws when it is missing and `make` is not given */
  secret(make?: () => string): Promise<string>;
  /** The other secret that a server of this environment accepts, while the installation changes its secret. */
  previousSecret(make?: () => string): Promise<string | undefined>;
}

/**
 * Opens the database of this environment: `TESSERA_DATABASE_DIRECT_URL`, else `DATABASE_URL`, else the embedded one in
 * the data folder.
 */
export async function withDatabase<T>(
  io: Io,
  options: DatabaseOptions & { readonly mayBeNew?: boolean },
  work: (database: OpenedDatabase) => Promise<T>,
): Promise<T> {
  const folder = dataFolder(io, options.dataDir);
  const secrets = {
    secret: (make?: () => string) => readSecret(io, folder, make),
    previousSecret: (make?: () => string) => readPreviousSecret(io, folder, make),
  };
  const url = io.env.TESSERA_DATABASE_DIRECT_URL ?? io.env.DATABASE_URL;
  if (url !== undefined) {
    const { assertKeepsSession, postgresUrlProblem } = await import('@tessera/server');
    const problem = postgresUrlProblem(url);
    if (problem !== undefined) throw new Failure(`The URL of the database ${problem}.`);
    const connection = { connectionString: url, application_name: 'tessera cli' };
    await assertKeepsSession(connection);
    return work({ connection, isEmbedded: false, ...secrets });
  }
  const { clusterExists, startEmbeddedPostgres } = await import('@tessera/server');
  if (options.mayBeNew !== true && !(await clusterExists(folder))) {
    throw new Failure(`There is no database in the data folder ${folder}. Set DATABASE_URL, or pass --data-dir.`);
  }
  const embedded = await startEmbeddedPostgres({ dataDir: folder });
  try {
    return await work({ connection: embedded.connection, isEmbedded: true, ...secrets });
  } finally {
    await embedded.stop();
  }
}

/** Opens one connection for `work` and closes it. */
export async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  // A broken connection fails the running statement. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Opens one connection for `work`, which may take hours, and closes it: limits of time that are set for the database or the
 * account do not count.
 */
export async function withUnlimitedClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { applySettings, unlimitedSettings } = await import('@tessera/server');
  return withClient(connection, async client => {
    await applySettings(client, unlimitedSettings);
    return work(client);
  });
}

/** Names of the migrations that are not applied yet, in order. Fails for the schema of a newer release. */
export async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const server = await import('@tessera/server');
  return server.pendingMigrations(client);
}

async function readSecret(io: Io, folder: string, make?: () => string): Promise<string> {
  if (io.env.TESSERA_SECRET !== undefined) return io.env.TESSERA_SECRET;
  const { installationSecret } = await import('@tessera/server');
  if (make === undefined && !existsSync(join(folder, 'secret'))) {
    throw new Failure("The installation's secret is missing. Set TESSERA_SECRET to the value that its servers use.");
  }
  return installationSecret(folder, make ?? (() => ''));
}

async function readPreviousSecret(io: Io, folder: string, make?: () => string): Promise<string | undefined> {
  const { TESSERA_SECRET: secret, TESSERA_PREVIOUS_SECRET: previousSecret } = io.env;
  if (previousSecret !== undefined || secret !== undefined) return previousSecret;
  const { previousInstallationSecret, readPreviousInstallationSecret } = await import('@tessera/server');
  return make === undefined ? readPreviousInstallationSecret(folder) : previousInstallationSecret(folder, make);
}
