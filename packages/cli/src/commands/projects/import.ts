import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Secrets, Transaction } from '@tessera/server';
import type { Command } from 'commander';
import type pg from 'pg';
import { type JsonOption, readSecretVariable, withJson } from '../../command.ts';
import {
  type DatabaseOptions,
  type OpenedDatabase,
  pendingMigrations,
  withDatabase,
  withUnlimitedClient,
} from '../../database/database.ts';
import { readFittingSecrets } from '../../database/secrets.ts';
import { Failure, usageError } from '../../failure.ts';
import { type Io, note } from '../../io.ts';
import { readKeyFile } from '../../key-file.ts';
import { print } from '../../output.ts';
import { baseUrl } from '../../target.ts';
import type { Head } from '../../transfer/format.ts';
import type { Imported } from '../../transfer/import.ts';
import type { Vault } from '../../transfer/vault.ts';

type ImportOptions = JsonOption &
  DatabaseOptions & {
    readonly projectId?: string;
    readonly owner?: string;
    readonly passphraseEnv?: string;
    readonly withoutSecrets?: boolean;
    readonly withoutApiKeys?: boolean;
  };

export function addImport(program: Command, io: Io): void {
  withJson(program.command('import'))
    .argument('<file>', 'a file that export wrote; - for standard input')
    .summary('read a project from a file')
    .description(
      'Reads a project that export has written into the database of DATABASE_URL, otherwise into the embedded one. Imports everything or nothing. The project must be new there, or empty. Nothing is overwritten. Servers may keep running. URLs of stored images get the address TESSERA_PUBLIC_URL, or the one of the server that used the embedded database last.',
    )
    .option('--project-id <id>', 'id of the project here, a UUID; default: a new one')
    .option('--owner <user>', 'id or email address of the user of project internal who will own it')
    .option('--passphrase-env <name>', 'variable with the passphrase of the export')
    .option('--without-secrets', 'leave out the secrets in the file')
    .option('--without-api-keys', 'leave out the API keys of users and teams')
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .action((file: string, options: ImportOptions) => importCommand(io, file, options));
}

async function importCommand(io: Io, file: string, options: ImportOptions): Promise<void> {
  const passphrase = options.passphraseEnv === undefined ? undefined : readSecretVariable(io, options.passphraseEnv);
  const projectId = await readProjectId(options.projectId);
  const source = openSource(io, file);
  const imported = await importInto(io, options, {
    projectId,
    source,
    title: `Importing project ${projectId}`,
    vaultFor: head => openFileVault(head, passphrase, options),
    skipsApiKeys: options.withoutApiKeys === true,
    finish: (tx, client) =>
      options.owner === undefined ? Promise.resolve() : assignOwner(tx, client, options.owner, projectId),
  });
  await report(io, options, projectId, imported);
}

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
      const { importProject } = await import('../../transfer/import.ts');
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

function openSource(io: Io, file: string): Readable {
  if (file === '-') return io.stdin;
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) throw new Failure(`There is no file ${file}.`);
  return createReadStream(path);
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

async function openFileVault(
  head: Head,
  passphrase: string | undefined,
  options: ImportOptions,
): Promise<Vault | undefined> {
  if (head.vault === null || options.withoutSecrets === true) return undefined;
  if (passphrase === undefined) {
    throw usageError(
      'The file has secrets. Name the variable with the passphrase with --passphrase-env, or leave the secrets out with --without-secrets.',
    );
  }
  const { openVault } = await import('../../transfer/vault.ts');
  return openVault(passphrase, head.vault);
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

async function report(io: Io, options: ImportOptions, projectId: string, { rows, leftOut }: Imported): Promise<void> {
  if (leftOut.length > 0) await note(io, `Left out:\n${leftOut.map(what => `- ${what}`).join('\n')}`);
  const users = rows.users ?? 0;
  const text = `Imported project ${projectId} with ${users} ${users === 1 ? 'user' : 'users'}.`;
  await print(io, options.json, { projectId, rows, leftOut }, text);
}
