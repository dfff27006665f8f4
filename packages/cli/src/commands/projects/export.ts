import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type JsonOption, readSecretVariable, withJson } from '../../command.ts';
import { type DatabaseOptions, withDatabase, withUnlimitedClient } from '../../database/database.ts';
import { Failure, usageError } from '../../failure.ts';
import { type Io, note, write } from '../../io.ts';
import { readKeyFile } from '../../key-file.ts';
import { writeNewFile } from '../../new-file.ts';
import { print } from '../../output.ts';
import type { Exported } from '../../transfer/export.ts';

type ExportOptions = JsonOption &
  DatabaseOptions & { readonly project?: string; readonly output?: string; readonly passphraseEnv?: string };

export function addExport(program: Command, io: Io): void {
  withJson(program.command('export'))
    .summary('write a project to a file')
    .description(
      'Writes a whole project as JSON lines: settings, permissions, users with their password hashes, teams, keys (as hashes), webhook endpoints, activity and audit log. It reads the database of DATABASE_URL, otherwise the embedded one, in one snapshot. Servers may keep running. Sessions are not exported: users sign in again. The file holds personal data. Protect it like the database.',
    )
    .option('--project <id>', 'id of the project (TESSERA_PROJECT_ID)')
    .option('--output <file>', 'a new file that only you can read; default: standard output')
    .option(
      '--passphrase-env <name>',
      'variable with a passphrase of 12 characters or more, which encrypts the secrets (of OAuth providers, mail server, authenticator apps, webhooks); without it the secrets are left out',
    )
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .action((options: ExportOptions) => exportCommand(io, options));
}

async function exportCommand(io: Io, options: ExportOptions): Promise<void> {
  const projectId = options.project ?? io.env.TESSERA_PROJECT_ID ?? readKeyFile(io, options.dataDir)?.demo;
  if (projectId === undefined)
    throw usageError('Which project? Pass --project with its id, or set TESSERA_PROJECT_ID.');
  if (options.output === undefined && options.json === true) {
    throw usageError('Standard output cannot take both the project and a JSON result. Add --output.');
  }
  if (options.output === undefined && io.isInteractive && 'isTTY' in io.stdout && io.stdout.isTTY === true) {
    throw usageError('Where should the project go? Pass --output with a file, or redirect standard output.');
  }
  const passphrase = options.passphraseEnv === undefined ? undefined : readSecretVariable(io, options.passphraseEnv);
  const { createSecrets } = await import('@tessera/server');
  const { exportProject } = await import('../../transfer/export.ts');
  const { createVault } = await import('../../transfer/vault.ts');
  const vault = passphrase === undefined ? undefined : await createVault(passphrase);

  const progress = io.progress(`Exporting project ${projectId}`);
  let rows = 0;
  const exported = await withDatabase(io, options, database =>
    withSink(io, options.output, sink =>
      withUnlimitedClient(database.connection, client =>
        exportProject(client, {
          projectId,
          vault,
          secrets: async () => createSecrets(await database.secret(), await database.previousSecret()),
          sink,
          signal: io.signal,
          onProgress: count => {
            rows += count;
            progress.show(`${rows} rows`);
          },
        }),
      ),
    ),
  ).finally(() => progress.end());
  await report(io, options, projectId, exported);
}

async function report(io: Io, options: ExportOptions, projectId: string, { rows, leftOut }: Exported): Promise<void> {
  if (leftOut.length > 0) {
    await note(io, `Without --passphrase-env the file has no secrets:\n${leftOut.map(what => `- ${what}`).join('\n')}`);
  }
  if (options.output === undefined) return;
  const users = rows.users ?? 0;
  const text = `Wrote project ${projectId} with ${users} ${users === 1 ? 'user' : 'users'} to ${options.output}.`;
  await print(io, options.json, { projectId, output: options.output, rows, leftOut }, text);
}

async function withSink<T>(
  io: Io,
  output: string | undefined,
  work: (sink: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (output === undefined) return work(text => write(io.stdout, text));
  const path = resolve(io.cwd, output);
  if (existsSync(path)) throw new Failure(`${output} already exists. Choose another name, or delete it first.`);
  return writeNewFile(path, file =>
    work(async text => {
      await file.writeFile(text);
    }),
  );
}
