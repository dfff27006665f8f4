import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type JsonOption, secretFrom, withJson } from '../command.ts';
import { type DatabaseOptions, withClient, withDatabase } from '../database.ts';
import { Failure, wrongUse } from '../failure.ts';
import { type Io, note, write } from '../io.ts';
import { readKeyFile } from '../key-file.ts';
import { print } from '../output.ts';
import type { Exported } from '../transfer/export.ts';

type ExportOptions = JsonOption &
  DatabaseOptions & { readonly project?: string; readonly output?: string; readonly passphraseEnv?: string };

export function addExport(program: Command, io: Io): void {
  withJson(program.command('export'))
    .summary('write a project into a file')
    .description(
      'Writes a whole project as JSON lines: settings, permissions, users with their password hashes, teams, keys (as hashes), webhook endpoints, activity and audit log. It reads the database of DATABASE_URL, else the embedded one, as it is at one moment; servers may go on. Sessions do not travel: people sign in again. The file holds personal data: guard it like the database.',
    )
    .option('--project <id>', 'id of the project (TESSERA_PROJECT_ID)')
    .option('--output <file>', 'a new file, which only you can read; default: standard output')
    .option(
      '--passphrase-env <name>',
      'variable with a passphrase of 12 characters or more: secrets (of OAuth providers, mail server, authenticator apps, webhooks) travel sealed by it; otherwise they are left out',
    )
    .option('--data-dir <folder>', 'of the embedded database (TESSERA_DATA_DIR)')
    .action((options: ExportOptions) => exportCommand(io, options));
}

async function exportCommand(io: Io, options: ExportOptions): Promise<void> {
  const projectId = options.project ?? io.env.TESSERA_PROJECT_ID ?? readKeyFile(io)?.demo;
  if (projectId === undefined) throw wrongUse('Which project? Pass --project with its id, or set TESSERA_PROJECT_ID.');
  if (options.output === undefined && options.json === true) {
    throw wrongUse('Standard output cannot take the project and a result as JSON: add --output.');
  }
  if (options.output === undefined && io.isInteractive && 'isTTY' in io.stdout && io.stdout.isTTY === true) {
    throw wrongUse('Where to? Pass --output with a file, or send standard output somewhere.');
  }
  const passphrase = options.passphraseEnv === undefined ? undefined : secretFrom(io, options.passphraseEnv);
  const { createSecrets } = await import('@tessera/server');
  const { exportProject } = await import('../transfer/export.ts');
  const { createVault } = await import('../transfer/vault.ts');
  const vault = passphrase === undefined ? undefined : await createVault(passphrase);

  const progress = io.progress(`Exporting project ${projectId}`);
  let rows = 0;
  const exported = await withDatabase(io, options, database =>
    withSink(io, options.output, sink =>
      withClient(database.connection, client =>
        exportProject(client, {
          projectId,
          vault,
          secrets: async () => createSecrets(await database.secret(), io.env.TESSERA_PREVIOUS_SECRET),
          sink,
          signal: io.signal,
          onProgress: count => {
            rows += count;
            progress.say(`${rows} rows`);
          },
        }),
      ),
    ),
  ).finally(() => progress.end());
  await report(io, options, projectId, exported);
}

async function report(io: Io, options: ExportOptions, projectId: string, { rows, leftOut }: Exported): Promise<void> {
  if (leftOut.length > 0) {
    await note(
      io,
      `Without --passphrase-env secrets are not in the file:\n${leftOut.map(what => `- ${what}`).join('\n')}`,
    );
  }
  if (options.output === undefined) return;
  const users = rows.users ?? 0;
  const text = `Wrote project ${projectId} with ${users} ${users === 1 ? 'user' : 'users'} to ${options.output}.`;
  await print(io, options.json, { projectId, output: options.output, rows, leftOut }, text);
}

const onlyOwner = 0o600;

/** A file has its name only when it is whole. */
async function withSink<T>(
  io: Io,
  output: string | undefined,
  work: (sink: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (output === undefined) return work(text => write(io.stdout, text));
  const path = resolve(io.cwd, output);
  if (existsSync(path)) throw new Failure(`${output} exists. Choose another name, or delete it first.`);
  const draft = `${path}.part`;
  const file = await open(draft, 'w', onlyOwner);
  try {
    await file.chmod(onlyOwner);
    const done = await work(async text => {
      await file.writeFile(text);
    });
    await file.sync();
    await rename(draft, path);
    return done;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
