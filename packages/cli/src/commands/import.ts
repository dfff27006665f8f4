import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Transaction } from '@tessera/server';
import type { Command } from 'commander';
import type pg from 'pg';
import { type JsonOption, secretFrom, withJson } from '../command.ts';
import { type DatabaseOptions, type OpenedDatabase, pendingMigrations, withClient, withDatabase } from '../database.ts';
import { Failure, wrongUse } from '../failure.ts';
import { type Io, note } from '../io.ts';
import { print } from '../output.ts';
import type { Head } from '../transfer/format.ts';
import type { Imported } from '../transfer/import.ts';
import type { Vault } from '../transfer/vault.ts';

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
    .argument('<file>', 'what export wrote; - for standard input')
    .summary('read a project from a file')
    .description(
      'Reads a project that export has written into the database of DATABASE_URL, else into the embedded one: all of it, or nothing. The project must be new there, or empty; nothing is overwritten. Servers may go on.',
    )
    .option('--project-id <id>', 'id of the project here, a UUID; default: a new one')
    .option('--owner <user>', 'id or e-mail address of the user of project internal who is to own it')
    .option('--passphrase-env <name>', 'variable with the passphrase of the export')
    .option('--without-secrets', 'leave out the secrets that the file has')
    .option('--without-api-keys', 'leave out the API keys of users and teams')
    .option('--data-dir <folder>', 'of the embedded database (TESSERA_DATA_DIR)')
    .action((file: string, options: ImportOptions) => importCommand(io, file, options));
}

async function importCommand(io: Io, file: string, options: ImportOptions): Promise<void> {
  const { isProjectId } = await import('@tessera/protocol');
  const projectId = options.projectId ?? randomUUID();
  if (!isProjectId(projectId))
    throw wrongUse(`${projectId} is not the id of a project: it must be a UUID in lower case.`);
  const passphrase = options.passphraseEnv === undefined ? undefined : secretFrom(io, options.passphraseEnv);
  const source = sourceOf(io, file);
  const progress = io.progress(`Importing project ${projectId}`);
  let rows = 0;
  const imported = await withDatabase(io, options, database =>
    withClient(database.connection, async client => {
      await assertMigrated(client);
      const { createSecrets } = await import('@tessera/server');
      const { importProject } = await import('../transfer/import.ts');
      return importProject(client, source, {
        projectId,
        vaultFor: head => vaultFor(head, passphrase, options),
        secrets: createSecrets(await secretOf(database), io.env.TESSERA_PREVIOUS_SECRET),
        skipsApiKeys: options.withoutApiKeys === true,
        finish: tx => (options.owner === undefined ? Promise.resolve() : giveTo(tx, client, options.owner, projectId)),
        signal: io.signal,
        onProgress: count => {
          rows += count;
          progress.say(`${rows} rows`);
        },
      });
    }),
  ).finally(() => progress.end());
  await report(io, options, projectId, imported);
}

function sourceOf(io: Io, file: string): Readable {
  if (file === '-') return io.stdin;
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) throw new Failure(`There is no file ${file}.`);
  return createReadStream(path);
}

async function assertMigrated(client: pg.Client): Promise<void> {
  if ((await pendingMigrations(client)).length === 0) return;
  throw new Failure('The database is not up to date. Run tessera migrate first.');
}

/** A server on the embedded database would make a secret at its first start; so does this. */
function secretOf({ isEmbedded, secret }: OpenedDatabase): Promise<string> {
  return isEmbedded ? secret(() => randomBytes(32).toString('base64url')) : secret();
}

async function vaultFor(
  head: Head,
  passphrase: string | undefined,
  options: ImportOptions,
): Promise<Vault | undefined> {
  if (head.vault === null || options.withoutSecrets === true) return undefined;
  if (passphrase === undefined) {
    throw wrongUse(
      'The file has secrets: name their passphrase with --passphrase-env, or leave them out with --without-secrets.',
    );
  }
  const { openVault } = await import('../transfer/vault.ts');
  return openVault(passphrase, head.vault);
}

/** Makes a user of `internal` an owner of the project. */
async function giveTo(tx: Transaction, client: pg.Client, owner: string, projectId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from users
     where project_id = 'internal' and (id::text = $1 or primary_email = $1 and primary_email_used_for_auth)`,
    [owner.toLowerCase()],
  );
  const [user] = rows;
  if (user === undefined) {
    throw new Failure(`Project internal has no user ${owner} who could own it. Nothing was imported.`);
  }
  const { giveToOwner } = await import('@tessera/server');
  await giveToOwner(tx, user.id, [projectId]);
}

async function report(io: Io, options: ImportOptions, projectId: string, { rows, leftOut }: Imported): Promise<void> {
  if (leftOut.length > 0) await note(io, `Left out:\n${leftOut.map(what => `- ${what}`).join('\n')}`);
  const users = rows.users ?? 0;
  const text = `Imported project ${projectId} with ${users} ${users === 1 ? 'user' : 'users'}.`;
  await print(io, options.json, { projectId, rows, leftOut }, text);
}
