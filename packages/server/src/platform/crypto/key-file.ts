import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '@tessera/embedded-postgres';
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
  /** Id of the project that the demo app uses; in development only. */
  demo: z.string().optional(),
  internal: z.string(),
  /** Public URL of the server. */
  url: z.string(),
});

/** The keys in clear text. The database stores only their hashes, so this file is the only place to read them. */
export type KeyFile = z.infer<typeof keyFile>;
export type ProjectKeys = z.infer<typeof projectKeys>;

const keyFileName = 'keys.json';
const secretFileName = 'secret';
const previousSecretFileName = 'previous-secret';
const onlyOwner = 0o600;
const minSecretLength = 32;

/** Undefined when the file does not exist or is not valid. */
export async function readKeyFile(dataDir: string): Promise<KeyFile | undefined> {
  const text = await readIfThere(keyFilePath(dataDir));
  if (text === undefined) return undefined;
  try {
    return keyFile.parse(JSON.parse(text));
  } catch {
    // The file is damaged or has another format: `keepDamagedKeyFile` keeps it before another one is written.
    return undefined;
  }
}

/**
 * Renames a key file that is not valid, because it may be the only copy of its keys.
 *
 * @returns its new path; undefined when there is no file
 */
export async function keepDamagedKeyFile(dataDir: string): Promise<string | undefined> {
  const path = keyFilePath(dataDir);
  const kept = `${path}.damaged`;
  try {
    await rename(path, kept);
    return kept;
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export function writeKeyFile(dataDir: string, content: KeyFile): Promise<void> {
  return replaceFile(keyFilePath(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}

export function keyFilePath(dataDir: string): string {
  return resolve(dataDir, keyFileName);
}

/** The secret of the installation: read, or created at the first start. Two processes that start at once use the same one. */
export function installationSecret(dataDir: string, make: () => string): Promise<string> {
  return readOrCreateSecret(join(dataDir, secretFileName), make);
}

/** The previous secret of the installation: read, or created from a backup. */
export function previousInstallationSecret(dataDir: string, make: () => string): Promise<string> {
  return readOrCreateSecret(join(dataDir, previousSecretFileName), make);
}

async function readOrCreateSecret(path: string, make: () => string): Promise<string> {
  const known = await readIfThere(path);
  if (known !== undefined) return parseSecret(known, path);
  // A link does not replace the secret of a process that started at the same time.
  await withDraft(path, `${make()}\n`, async draft => {
    try {
      await link(draft, path);
    } catch (error) {
      if (!isFileError(error, 'EEXIST')) throw error;
    }
  });
  return parseSecret(await readFile(path, 'utf8'), path);
}

/** The previous secret, while values are still encrypted under it. */
export async function readPreviousInstallationSecret(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, previousSecretFileName);
  const known = await readIfThere(path);
  return known === undefined ? undefined : parseSecret(known, path);
}

/**
 * Replaces the secret of the installation. The old secret is kept as the previous one until it is forgotten. An
 * interrupted replacement continues with the same two secrets.
 */
export async function replaceInstallationSecret(dataDir: string, make: () => string): Promise<void> {
  const path = join(dataDir, secretFileName);
  const known = await readIfThere(path);
  if (known === undefined) {
    throw new OperatorError(
      `The installation's secret is missing: there is no file ${path}. Restore it from a backup. If the servers have TESSERA_SECRET, set TESSERA_SECRET and TESSERA_PREVIOUS_SECRET.`,
    );
  }
  const current = parseSecret(known, path);
  const previous = await readPreviousInstallationSecret(dataDir);
  if (previous !== undefined && previous !== current) return;
  await replaceFile(join(dataDir, previousSecretFileName), `${current}\n`);
  await replaceFile(path, `${make()}\n`);
}

/** Call this when no value is encrypted under the previous secret any more. */
export async function forgetPreviousSecret(dataDir: string): Promise<void> {
  await rm(join(dataDir, previousSecretFileName), { force: true });
}

/** A damaged secret is not replaced: that would make all encrypted values unreadable. */
function parseSecret(text: string, path: string): string {
  const secret = text.trim();
  if (secret.length >= minSecretLength) return secret;
  throw new OperatorError(`The installation's secret in ${path} is damaged: restore the file from a backup.`);
}

function replaceFile(path: string, text: string): Promise<void> {
  return withDraft(path, text, draft => rename(draft, path));
}

/**
 * Calls `place` with a complete file of the new content, which gets the final name there: no reader, and no process after a
 * crash, sees a part of it. Nothing of the draft stays, also when the disk is full: it may hold keys.
 */
async function withDraft(path: string, text: string, place: (draft: string) => Promise<void>): Promise<void> {
  await makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: onlyOwner, flush: true });
    await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
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
