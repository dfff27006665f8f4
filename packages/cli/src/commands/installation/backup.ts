import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { encryptBackup } from '../../backup/encrypted-file.ts';
import { dumpDatabase } from '../../backup/postgres-tools.ts';
import { type JsonOption, readSecretVariable, withJson } from '../../command.ts';
import { type DatabaseOptions, withDatabase } from '../../database/database.ts';
import { type DatabaseSecrets, readFittingSecrets } from '../../database/secrets.ts';
import { Failure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { writeNewFile } from '../../new-file.ts';
import { print } from '../../output.ts';

type BackupOptions = JsonOption & DatabaseOptions & { readonly passphraseEnv: string };

export function addBackup(program: Command, io: Io): void {
  withJson(program.command('backup'))
    .argument('<file>', 'a new file that only you can read')
    .summary('write the whole installation to an encrypted file')
    .description(
      "Writes the database (pg_dump) and the installation's secret into one file, encrypted with a passphrase. Servers may keep running. While you change the secret, it needs TESSERA_SECRET and TESSERA_PREVIOUS_SECRET as the servers have them, and writes both. Reads DATABASE_URL, otherwise the embedded database, which no server may use meanwhile. Needs pg_dump in the version of the server or newer. Without the passphrase the file is lost.",
    )
    .requiredOption('--passphrase-env <name>', 'variable with a passphrase of 12 characters or more')
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .action((file: string, options: BackupOptions) => backup(io, file, options));
}

async function backup(io: Io, file: string, options: BackupOptions): Promise<void> {
  const passphrase = readSecretVariable(io, options.passphraseEnv);
  const path = resolve(io.cwd, file);
  if (existsSync(path)) throw new Failure(`${file} already exists. Choose another name, or delete it first.`);
  const progress = io.progress('Writing the backup');
  const bytes = await withDatabase(io, options, async database => {
    const secrets = await readFittingSecrets(database, 'the backup could not be used');
    const dump = dumpDatabase({ connection: database.connection, env: io.env, signal: io.signal });
    const content = withSecrets({ ...secrets, createdAt: new Date().toISOString() }, dump);
    const chunks = encryptBackup(content, passphrase);
    return writeNewFile(path, file => writeChunks(file, chunks, total => progress.show(`${total} bytes`)));
  }).finally(() => progress.end());
  await print(io, options.json, { file, bytes }, `Wrote the backup to ${file} (${bytes} bytes).`);
}

/** The secrets are the first line, then the dump follows. */
async function* withSecrets(
  head: DatabaseSecrets & { readonly createdAt: string },
  dump: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  yield* dump;
}

async function writeChunks(
  file: FileHandle,
  chunks: AsyncIterable<Buffer>,
  onProgress: (bytes: number) => void,
): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    await file.writeFile(chunk);
    bytes += chunk.length;
    onProgress(bytes);
  }
  return bytes;
}
