import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { OperatorError } from '../operator-error.ts';

const projectKeys = z.object({
  displayName: z.string(),
  publishableClientKey: z.string(),
  secretServerKey: z.string(),
  superSecretAdminKey: z.string(),
});

const keyFile = z.object({
  projects: z.record(z.string(), projectKeys),
  /** Id of the project that the demo app uses; development only. */
  demo: z.string().optional(),
  internal: z.string(),
  /** Where the server is. */
  url: z.string(),
});

/** Keys for people: the database keeps hashes only, so this file is the one place where they can be read. */
export type KeyFile = z.infer<typeof keyFile>;
export type ProjectKeys = z.infer<typeof projectKeys>;

const keyFileName = 'keys.json';
const secretFileName = 'secret';
const previousSecretFileName = 'previous-secret';
const onlyOwner = 0o600;
const minSecretLength = 32;

/** Undefined when there is no file yet, or it is not one of ours. */
export async function readKeyFile(dataDir: string): Promise<KeyFile | undefined> {
  const text = await readIfThere(join(dataDir, keyFileName));
  if (text === undefined) return undefined;
  try {
    return keyFile.parse(JSON.parse(text));
  } catch {
    // Damaged or of another form: a new set of keys is made and written.
    return undefined;
  }
}

/** @returns the file's path */
export async function writeKeyFile(dataDir: string, content: KeyFile, isNew: boolean): Promise<string> {
  const path = resolve(dataDir, keyFileName);
  if (isNew) await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
}

/** The installation's secret: read, or made at the first start. Two processes that start at once agree on one. */
export async function installationSecret(dataDir: string, make: () => string): Promise<string> {
  const path = join(dataDir, secretFileName);
  const known = await readIfThere(path);
  if (known !== undefined) return soundSecret(known, path);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Written aside and linked: whoever sees the file sees all of it.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${make()}\n`, { mode: onlyOwner, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!isFileError(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return soundSecret(await readFile(path, 'utf8'), path);
}

/** The secret before the one that there is, while values are encrypted under it. */
export async function previousInstallationSecret(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, previousSecretFileName);
  const known = await readIfThere(path);
  return known === undefined ? undefined : soundSecret(known, path);
}

/**
 * Puts a new secret in the place of the installation's, and keeps the old one until it is forgotten. A change that was
 * not brought to its end goes on with the secrets that it began with.
 */
export async function changeInstallationSecret(dataDir: string, make: () => string): Promise<void> {
  const path = join(dataDir, secretFileName);
  const current = soundSecret(await readFile(path, 'utf8'), path);
  const previous = await previousInstallationSecret(dataDir);
  if (previous !== undefined && previous !== current) return;
  await replaceFile(join(dataDir, previousSecretFileName), `${current}\n`);
  await replaceFile(path, `${make()}\n`);
}

/** To be called when nothing is encrypted under it any more. */
export async function forgetPreviousSecret(dataDir: string): Promise<void> {
  await rm(join(dataDir, previousSecretFileName), { force: true });
}

/** A damaged secret is not replaced: everything that is encrypted would be lost without a word. */
function soundSecret(text: string, path: string): string {
  const secret = text.trim();
  if (secret.length >= minSecretLength) return secret;
  throw new OperatorError(`The installation's secret in ${path} is damaged: restore the file from a backup.`);
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  // A crash leaves the old file or the new one, never half of it.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: onlyOwner, flush: true });
  await rename(draft, path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
