import { createReadStream, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { decryptBackup } from '../../backup/encrypted-file.ts';
import { restoreDatabase } from '../../backup/postgres-tools.ts';
import { type JsonOption, readSecretVariable, withJson } from '../../command.ts';
import { type DatabaseOptions, type OpenedDatabase, withClient, withDatabase } from '../../database.ts';
import { Failure, usageError } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { print } from '../../output.ts';

type RestoreOptions = JsonOption &
  DatabaseOptions & { readonly passphraseEnv: string; readonly check?: boolean; readonly secretOutput?: string };

const headMaxBytes = 4 * 1024;
const onlyOwner = 0o600;
const newline = 10;

export function addRestore(program: Command, io: Io): void {
  withJson(program.command('restore'))
    .argument('<file>', 'a file that backup wrote')
    .summary('restore the whole installation from a backup')
    .description(
      'Verifies the whole file, then restores the database in one transaction (pg_restore): everything or nothing. The database of DATABASE_URL, otherwise the embedded one, must be empty. Start the servers afterwards, with the secret of the backup.',
    )
    .requiredOption('--passphrase-env <name>', 'variable with the passphrase of the backup')
    .option('--check', 'only verify the file')
    .option('--secret-output <file>', 'a file for the secret, when TESSERA_SECRET is not set to it')
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .action((file: string, options: RestoreOptions) => restore(io, file, options));
}

async function restore(io: Io, file: string, options: RestoreOptions): Promise<void> {
  const passphrase = readSecretVariable(io, options.passphraseEnv);
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) throw new Failure(`There is no file ${file}.`);
  const verified = await verify(openBackup(path, passphrase));
  if (options.check === true) {
    await print(io, options.json, { file, createdAt: verified.createdAt }, `${file} is complete and unchanged.`);
    return;
  }
  const progress = io.progress('Restoring the database');
  await withDatabase(io, { ...options, mayBeNew: true }, async database => {
    await assertEmpty(database);
    await keepSecret(io, options, database, verified.secret);
    const { rest } = openBackup(path, passphrase);
    await restoreDatabase(rest(), { connection: database.connection, env: io.env, signal: io.signal });
  }).finally(() => progress.end());
  const text = `Restored the backup of ${verified.createdAt}. Start the servers with its secret.`;
  await print(io, options.json, { file, createdAt: verified.createdAt }, text);
}

interface BackupHead {
  readonly secret: string;
  readonly createdAt: string;
}

interface OpenedBackup {
  head(): Promise<BackupHead>;
  /** The dump, after the head. */
  rest(): AsyncGenerator<Buffer>;
}

function openBackup(path: string, passphrase: string): OpenedBackup {
  const chunks = decryptBackup(createReadStream(path), passphrase);
  let rest: Buffer | undefined;
  async function head(): Promise<BackupHead> {
    let start = Buffer.alloc(0);
    while (!start.includes(newline)) {
      const { done, value } = await chunks.next();
      if (done === true || start.length > headMaxBytes) throw new Failure('The backup has no secret.');
      start = Buffer.concat([start, value]);
    }
    const end = start.indexOf(newline);
    rest = start.subarray(end + 1);
    return JSON.parse(start.subarray(0, end).toString());
  }
  return {
    head,
    async *rest() {
      if (rest === undefined) await head();
      if (rest !== undefined) yield rest;
      yield* chunks;
    },
  };
}

/** Reads the file to its end, so that a damaged one is found before anything is written. */
async function verify(backup: OpenedBackup): Promise<BackupHead> {
  const head = await backup.head();
  for await (const _ of backup.rest());
  return head;
}

async function assertEmpty({ connection }: OpenedDatabase): Promise<void> {
  const { rows } = await withClient(connection, client =>
    client.query(`select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1`),
  );
  if (rows.length === 0) return;
  throw new Failure('The database is not empty. Restore into a new database; nothing was changed.');
}

/** A database without its secret is of no use, so the place of the secret is settled first. */
async function keepSecret(
  io: Io,
  { secretOutput }: RestoreOptions,
  { isEmbedded, secret }: OpenedDatabase,
  restored: string,
): Promise<void> {
  const given = io.env.TESSERA_SECRET;
  if (given === restored) return;
  if (secretOutput !== undefined) {
    await writeSecret(resolve(io.cwd, secretOutput), restored);
    return;
  }
  if (given !== undefined) {
    throw new Failure(
      'TESSERA_SECRET is not the secret of the backup. Unset it and pass --secret-output, which writes the secret to a file.',
    );
  }
  if (!isEmbedded) {
    throw usageError('Where should the secret go? Pass --secret-output with a new file, or set TESSERA_SECRET to it.');
  }
  if ((await secret(() => restored)) !== restored) {
    throw new Failure('The data folder has another secret. Choose a new data folder with --data-dir.');
  }
}

async function writeSecret(path: string, secret: string): Promise<void> {
  try {
    await writeFile(path, `${secret}\n`, { mode: onlyOwner, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // A run whose pg_restore failed has written the file.
    if ((await readFile(path, 'utf8')).trim() === secret) return;
    throw new Failure(
      `${path} exists and holds something else. Choose another file for the secret; nothing was restored.`,
    );
  }
}
