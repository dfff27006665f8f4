import type { SecretRotationOutcome } from '@tessera/server';
import type { Command } from 'commander';
import { type JsonOption, withJson } from '../../command.ts';
import { type DatabaseOptions, withDatabase } from '../../database/database.ts';
import { Failure } from '../../failure.ts';
import { type Io, note } from '../../io.ts';
import { dataFolder } from '../../key-file.ts';
import { print } from '../../output.ts';

type RotateOptions = JsonOption & DatabaseOptions;

const steps = `
With running servers:
  1. create a new secret:            openssl rand -hex 32
  2. restart all servers with        TESSERA_SECRET=<old> TESSERA_PREVIOUS_SECRET=<new>, and wait five minutes
  3. restart all servers with        TESSERA_SECRET=<new> TESSERA_PREVIOUS_SECRET=<old>
  4. with the same two variables:    tessera rotate-secret
  5. after TESSERA_ACCESS_TOKEN_LIFETIME, restart them without TESSERA_PREVIOUS_SECRET
Skip step 2 if you run one server, or if users may sign in again. If the old secret has leaked, do not wait in step 5.
From step 2 to step 5, tessera backup needs the same two variables as the servers.

With the embedded database, stop the server and run: tessera rotate-secret
It creates the new secret and stores it in the data folder.`;

export function addRotateSecret(program: Command, io: Io): void {
  withJson(program.command('rotate-secret'))
    .summary('encrypt all data with a new secret')
    .description(
      "Changes the installation's secret. Encrypts all values of TESSERA_PREVIOUS_SECRET with TESSERA_SECRET, in small batches, while servers run with both. It is safe to interrupt it and to run it again.",
    )
    .option('--data-dir <folder>', 'data folder of the embedded database (TESSERA_DATA_DIR)')
    .addHelpText('after', steps)
    .action((options: RotateOptions) => rotate(io, options));
}

interface SecretPair {
  readonly secret: string;
  readonly previousSecret: string;
  /** True when the old secret is no longer needed. */
  done(): Promise<void>;
}

async function rotate(io: Io, options: RotateOptions): Promise<void> {
  const { rotateSecret } = await import('@tessera/server');
  const outcome = await withDatabase(io, options, async ({ connection, isEmbedded }) => {
    const pair =
      isEmbedded && io.env.TESSERA_SECRET === undefined ? await rotateFileSecrets(io, options) : readSecretPair(io);
    const progress = io.progress('Encrypting with the new secret');
    const onProgress = (column: string) => progress.show(column);
    const { secret, previousSecret } = pair;
    const rotation = { connection, secret, previousSecret, onProgress, signal: io.signal };
    const rotated = await rotateSecret(rotation).finally(() => progress.end());
    if (rotated.isComplete) await pair.done();
    return rotated;
  });
  await print(io, options.json, outcome, report(outcome));
  const lost = Object.entries(outcome.unreadable).map(([column, count]) => `- ${column}: ${count}`);
  if (lost.length > 0) {
    await note(io, `Neither secret decrypts these values. They are unchanged:\n${lost.join('\n')}`);
  }
  if (outcome.isComplete) return;
  throw new Failure(
    io.signal.aborted
      ? 'Stopped. Run it again to continue.'
      : 'A server still encrypts with the old secret: it runs with it as TESSERA_SECRET. Restart it with the new one, and run this again.',
  );
}

function readSecretPair({ env }: Io): SecretPair {
  const { TESSERA_SECRET: secret, TESSERA_PREVIOUS_SECRET: previousSecret } = env;
  if (secret === undefined || previousSecret === undefined) {
    throw new Failure(
      'Set TESSERA_SECRET to the new secret and TESSERA_PREVIOUS_SECRET to the old one, here and for the servers. For the steps, run: tessera rotate-secret --help',
    );
  }
  if (secret === previousSecret) throw new Failure('TESSERA_SECRET and TESSERA_PREVIOUS_SECRET are the same.');
  return { secret, previousSecret, done: async () => undefined };
}

/** No server runs on the embedded database at the same time, so file and database change together. */
async function rotateFileSecrets(io: Io, options: RotateOptions): Promise<SecretPair> {
  const files = await import('@tessera/server');
  const folder = dataFolder(io, options.dataDir);
  await files.replaceInstallationSecret(folder, files.randomSecret);
  const previousSecret = await files.readPreviousInstallationSecret(folder);
  if (previousSecret === undefined) throw new Failure(`The old secret is missing from ${folder}. Run it again.`);
  const secret = await files.installationSecret(folder, files.randomSecret);
  return { secret, previousSecret, done: () => files.forgetPreviousSecret(folder) };
}

function report({ reencrypted, isComplete }: SecretRotationOutcome): string {
  const lines = Object.entries(reencrypted).map(
    ([column, count]) => `${column}: encrypted ${count} with the new secret`,
  );
  if (isComplete) lines.push('All data is encrypted with the new secret. You can delete the old one.');
  return lines.join('\n');
}
