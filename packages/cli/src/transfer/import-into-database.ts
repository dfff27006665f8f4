import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Secrets, Transaction } from '@tessera/server';
import type pg from 'pg';
import {
  type DatabaseOptions,
  type OpenedDatabase,
  pendingMigrations,
  withDatabase,
  withUnlimitedClient,
} from '../database/database.ts';
import { readFittingSecrets } from '../database/secrets.ts';
import { Failure, usageError } from '../failure.ts';
import type { Io } from '../io.ts';
import { readKeyFile } from '../key-file.ts';
import { baseUrl } from '../target.ts';
import type { Head } from './format.ts';
import type { Imported } from './import.ts';
import type { Vault } from './vault.ts';

/** The given project id, or a new one. */
export async function readProjectId(given: string | undefined): Promise<string> {
  if (given === undefined) return randomUUID();
  const { isProjectId } = await import('@tessera/protocol');
  if (isProjectId(given)) return given;
  throw usageError(`${given} is not a project id. A project id is a UUID in lower case.`);
}

interface ProjectSource {
  readonly projectId: string;
  readonly source: Readable;
  /** What the progress line says. */
  readonly title: string;
  readonly vaultFor: (head: Head) => Promise<Vault | undefined>;
  readonly skipsApiKeys: boolean;
  /** Runs at the end, in the same transaction. */
  readonly finish: (tx: Transaction, client: pg.Client, secrets: Secrets) => Promise<void>;
}

/** Imports a project into the database of the options. */
export async function importInto(
  io: Io,
  options: DatabaseOptions,
  { source, title, finish, ...project }: ProjectSource,
): Promise<Imported> {
  const progress = io.progress(title);
  let rows = 0;
  return withDatabase(io, options, database =>
    withUnlimitedClient(database.connection, async client => {
      await assertMigrated(client);
      const { importProject } = await import('./import.ts');
      const secrets = await loadSecrets(database);
      return importProject(client, source, {
        ...project,
        publicUrl: publicUrlOf(io, options, database),
        secrets,
        finish: tx => finish(tx, client, secrets),
        signal: io.signal,
        onProgress: count => {
          rows += count;
          progress.show(`${rows} rows`);
        },
      });
    }),
  ).finally(() => progress.end());
}

/** The address that the servers of a database have; undefined when it is unknown. */
function publicUrlOf(io: Io, { dataDir }: DatabaseOptions, { isEmbedded }: OpenedDatabase) {
  const given = baseUrl(io.env.TESSERA_PUBLIC_URL);
  // Without the embedded database, a key file nearby may belong to another installation.
  if (given !== undefined || !isEmbedded) return given;
  return readKeyFile(io, dataDir)?.url;
}

/** Makes a user of `internal` an owner of the project. */
export async function assignOwner(tx: Transaction, client: pg.Client, owner: string, projectId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from users
     where project_id = 'internal' and (id::text = $1 or primary_email = $1 and primary_email_used_for_auth)`,
    [owner.toLowerCase()],
  );
  const [user] = rows;
  if (user === undefined) {
    throw new Failure(`Project internal has no user ${owner}. Nothing was imported.`);
  }
  const { addOwnedProjects } = await import('@tessera/server');
  await addOwnedProjects(tx, user.id, [projectId]);
}

async function assertMigrated(client: pg.Client): Promise<void> {
  if ((await pendingMigrations(client)).length === 0) return;
  throw new Failure('The database schema is not up to date. Run tessera migrate first.');
}

/** For the embedded database, creates the secret when it is missing, as the first start of a server does. */
async function loadSecrets(database: OpenedDatabase): Promise<Secrets> {
  const { createSecrets, randomSecret } = await import('@tessera/server');
  const make = database.isEmbedded ? randomSecret : undefined;
  const consequence = 'its servers could not read what is imported';
  const { secret, previousSecret } = await readFittingSecrets(database, consequence, make);
  return createSecrets(secret, previousSecret);
}
