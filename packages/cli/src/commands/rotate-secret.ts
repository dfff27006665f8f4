import { resolve } from 'node:path';
import type { SecretRotationOutcome } from '@tessera/server';
import type { Command } from 'commander';
import { type JsonOption, withJson } from '../command.ts';
import { type DatabaseOptions, withDatabase } from '../database.ts';
import { Failure } from '../failure.ts';
import { type Io, note } from '../io.ts';
import { dataFolder } from '../key-file.ts';
import { print } from '../output.ts';

type RotateOptions = JsonOption & DatabaseOptions;

const steps = `
With servers that run:
  1. make a new secret:               openssl rand -hex 32
  2. start all servers again with     TESSERA_SECRET=<old> TESSERA_PREVIOUS_SECRET=<new>, and wait five minutes
  3. start all servers again with     TESSERA_SECRET=<new> TESSERA_PREVIOUS_SECRET=<old>
  4. with the same two variables:     tessera rotate-secret
  5. after TESSERA_ACCESS_TOKEN_LIFETIME start them without TESSERA_PREVIOUS_SECRET
With one server, or where people may sign in anew, leave out the second step. Where the old secret is known to somebody
who should not have it, do not wait in the fifth.

With the embedded database stop the server, and run: tessera rotate-secret
The new secret is made for you, and put into the data folder.`;

export function addRotateSecret(program: Command, io: Io): void {
  withJson(program.command('rotate-secret'))
    .summary('encrypt everything under a new secret')
    .description(
      "Changes the installation's secret: what was encrypted under TESSERA_PREVIOUS_SECRET is encrypted under TESSERA_SECRET, a few values at a time, while servers run that have both. Safe to interrupt, and to run again.",
    )
    .option('--data-dir <folder>', 'of the embedded database (TESSERA_DATA_DIR)')
    .addHelpText('after', steps)
    .action((options: RotateOptions) => rotate(io, options));
}

interface SecretPair {
  readonly secret: string;
  readonly previousSecret: string;
  /** When the new one alone is enough. */
  done(): Promise<void>;
}

async function rotate(io: Io, options: RotateOptions): Promise<void> {
  const { rotateSecret } = await import('@tessera/server');
  const outcome = await withDatabase(io, options, async ({ connection, isEmbedded }) => {
    const pair = isEmbedded && io.env.TESSERA_SECRET === undefined ? await fileSecrets(io, options) : given(io);
    const progress = io.progress('Encrypting under the new secret');
    const onProgress = (column: string) => progress.say(column);
    const { secret, previousSecret } = pair;
    const rotation = { connection, secret, previousSecret, onProgress, signal: io.signal };
    const rotated = await rotateSecret(rotation).finally(() => progress.end());
    if (rotated.isComplete) await pair.done();
    return rotated;
  });
  await print(io, options.json, outcome, report(outcome));
  const lost = Object.entries(outcome.unreadable).map(([column, count]) => `- ${column}: ${count}`);
  if (lost.length > 0) {
    await note(io, `Neither of the two secrets opens these values, which were left as they are:\n${lost.join('\n')}`);
  }
  if (outcome.isComplete) return;
  throw new Failure(
    io.signal.aborted
      ? 'Stopped. Run it again: it goes on with what is left.'
      : 'Values are still being encrypted under the old secret: a server runs with it as TESSERA_SECRET. Start it again with the new one, and run this again.',
  );
}

function given({ env }: Io): SecretPair {
  const { TESSERA_SECRET: secret, TESSERA_PREVIOUS_SECRET: previousSecret } = env;
  if (secret === undefined || previousSecret === undefined) {
    throw new Failure(
      'Set TESSERA_SECRET to the new secret and TESSERA_PREVIOUS_SECRET to the old one, here and for the servers. The steps: tessera rotate-secret --help',
    );
  }
  if (secret === previousSecret) throw new Failure('TESSERA_SECRET and TESSERA_PREVIOUS_SECRET are the same.');
  return { secret, previousSecret, done: async () => undefined };
}

/** No server runs on the embedded database meanwhile, so both are changed at once. */
async function fileSecrets(io: Io, options: RotateOptions): Promise<SecretPair> {
  const files = await import('@tessera/server');
  const folder = options.dataDir === undefined ? dataFolder(io) : resolve(io.cwd, options.dataDir);
  await files.replaceInstallationSecret(folder, files.randomSecret);
  const previousSecret = await files.readPreviousInstallationSecret(folder);
  if (previousSecret === undefined) throw new Failure(`The old secret is gone from ${folder}. Try again.`);
  const secret = await files.installationSecret(folder, files.randomSecret);
  return { secret, previousSecret, done: () => files.forgetPreviousSecret(folder) };
}

function report({ reencrypted, isComplete }: SecretRotationOutcome): string {
  const lines = Object.entries(reencrypted).map(
    ([column, count]) => `${column}: ${count} encrypted under the new secret`,
  );
  if (isComplete) lines.push('Everything is encrypted under the new secret. The old one can go.');
  return lines.join('\n');
}
