import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type JsonOption, readSecretVariable, withJson } from '../../command.ts';
import type { DatabaseOptions } from '../../database/database.ts';
import { Failure, usageError } from '../../failure.ts';
import { type Io, note } from '../../io.ts';
import { print } from '../../output.ts';
import type { Head } from '../../transfer/format.ts';
import type { Imported } from '../../transfer/import.ts';
import { assignOwner, importInto, readProjectId } from '../../transfer/import-into-database.ts';
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

function openSource(io: Io, file: string): Readable {
  if (file === '-') return io.stdin;
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) throw new Failure(`There is no file ${file}.`);
  return createReadStream(path);
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

async function report(io: Io, options: ImportOptions, projectId: string, { rows, leftOut }: Imported): Promise<void> {
  if (leftOut.length > 0) await note(io, `Left out:\n${leftOut.map(what => `- ${what}`).join('\n')}`);
  const users = rows.users ?? 0;
  const text = `Imported project ${projectId} with ${users} ${users === 1 ? 'user' : 'users'}.`;
  await print(io, options.json, { projectId, rows, leftOut }, text);
}
