import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { decryptBackup } from '../../backup/encrypted-file.ts';
import { restoreDatabase } from '../../backup/postgres-tools.ts';
import { type JsonOption, readSecretVariable, withJson } from '../../command.ts';
import { type DatabaseOptions, type OpenedDatabase, withClient, withDatabase } from '../../database/database.ts';
import { type DatabaseSecrets, fitDatabase } from '../../database/secrets.ts';
import { Failure, usageError } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { writeNewFile } from '../../new-file.ts';
import { print } from '../../output.ts';

type RestoreOptions = JsonOption &
  DatabaseOptions & { readonly passphraseEnv: string; readonly check?: boolean; readonly secretOutput?: string };

const headMaxBytes = 4 * 1024;
const newline = 10;

export function addRestore(program: Command, io: Io): void {
  withJson(program.command('restore'))
    .argument('<file>', 'a file that backup wrote')
    .summary('restore the whole installation from a backup')
    .description(
      'Verifies the whole file, then restores the database in one transaction (pg_restore): everything or nothing. The database of DATABASE_URL, otherwise the embedded one, must be empty. Start the servers afterwards, with the secret of the backup, or with both when it was written during a change of the secret.',
    )
    .requiredOption('--passphrase-env <name>', 'variable with the passphrase of the backup')
    .option('--check', 'only verify that the file is complete and unchanged')
    .option(
      '--secret-output <file>',
      'a file for the secret, when TESSERA_SECRET is not set to it; a previous secret goes to <file>.previous',
    )
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .action((file: string, options: RestoreOptions) => restore(io, file, options));
}

async function restore(io: Io, file: string, options: RestoreOptions): Promise<void> {
  const passphrase = readSecretVariable(io, options.passphraseEnv);
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) throw new Failure(`There is no file ${file}.`);
  const verified = await verify(openBackup(path, passphrase));
  if (options.check === true) {
    const text = `${file} is complete and unchanged. Only a restore shows that PostgreSQL accepts its dump, and that its secret fits.`;
    await print(io, options.json, { file, createdAt: verified.createdAt }, text);
    return;
  }
  const progress = io.progress('Restoring the database');
  await withDatabase(io, { ...options, mayBeNew: true }, async database => {
    await assertEmpty(database);
    await keepSecrets(io, options, database, verified);
    const { rest } = openBackup(path, passphrase);
    await restoreDatabase(rest(), { connection: database.connection, env: io.env, signal: io.signal });
    await assertSecretsFit(database, verified);
  }).finally(() => progress.end());
  const text = `Restored the backup of ${verified.createdAt}. ${nextStep(verified)}`;
  await print(io, options.json, { file, createdAt: verified.createdAt }, text);
}

function nextStep({ previousSecret }: BackupHead): string {
  if (previousSecret === undefined) return 'Start the servers with its secret.';
  return 'It was written during a change of the secret: start the servers with its secret and its previous secret (TESSERA_PREVIOUS_SECRET), and run tessera rotate-secret.';
}

interface BackupHead extends DatabaseSecrets {
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

/** Earlier releases wrote a backup without comparing the secret with the database. */
async function assertSecretsFit({ connection }: OpenedDatabase, restored: BackupHead): Promise<void> {
  if (await fitDatabase(restored, connection)) return;
  throw new Failure(
    'The database is restored, but it was encrypted under another secret than the one in the backup. Start the servers with the secret that they had when the backup was written.',
  );
}

/** A database without its secrets is of no use, so their place is settled first. */
async function keepSecrets(
  io: Io,
  { secretOutput }: RestoreOptions,
  database: OpenedDatabase,
  { secret, previousSecret }: BackupHead,
): Promise<void> {
  const { TESSERA_SECRET: given, TESSERA_PREVIOUS_SECRET: givenPrevious } = io.env;
  if (given === secret && (previousSecret === undefined || givenPrevious === previousSecret)) return;
  if (secretOutput !== undefined) {
    const path = resolve(io.cwd, secretOutput);
    await writeSecret(path, secret);
    if (previousSecret !== undefined) await writeSecret(`${path}.previous`, previousSecret);
    return;
  }
  if (given === secret) {
    throw new Failure(
      'The backup was written during a change of the secret, and TESSERA_PREVIOUS_SECRET is not its previous secret. Unset TESSERA_SECRET and TESSERA_PREVIOUS_SECRET, and pass --secret-output, which writes both secrets to files.',
    );
  }
  if (given !== undefined) {
    throw new Failure(
      'TESSERA_SECRET is not the secret of the backup. Unset it and pass --secret-output, which writes the secret to a file.',
    );
  }
  if (!database.isEmbedded) {
    throw usageError('Where should the secret go? Pass --secret-output with a new file, or set TESSERA_SECRET to it.');
  }
  await keepInDataFolder(database, { secret, previousSecret });
}

async function keepInDataFolder(database: OpenedDatabase, { secret, previousSecret }: DatabaseSecrets): Promise<void> {
  if ((await database.secret(() => secret)) !== secret) {
    throw new Failure('The data folder has another secret. Choose a new data folder with --data-dir.');
  }
  if (previousSecret === undefined || (await database.previousSecret(() => previousSecret)) === previousSecret) return;
  throw new Failure(
    'The data folder or TESSERA_PREVIOUS_SECRET has another previous secret. Unset the variable, and choose a new data folder with --data-dir.',
  );
}

async function writeSecret(path: string, secret: string): Promise<void> {
  if (!existsSync(path)) return writeNewFile(path, file => file.writeFile(`${secret}\n`));
  // A run whose pg_restore failed has written the file.
  if ((await readFile(path, 'utf8')).trim() === secret) return;
  throw new Failure(
    `${path} exists and holds something else. Choose another file for the secret; nothing was restored.`,
  );
}
