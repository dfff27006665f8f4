import { access, mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrno, noPermission } from './failures.ts';

/** Whether a path exists. */
export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/**
 * Creates a folder that only this account can access, and its parents. Node's recursive `mkdir` never returns when the
 * system refuses a name in an existing folder with ENOENT, as `/proc` does (Node 20).
 */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== path && !(await exists(parent))) await makeFolder(parent);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (hasErrno(error, 'EEXIST') && (await stat(path)).isDirectory()) return;
    throw hasErrno(error, 'ENOENT') ? noPermission(path, error) : error;
  }
}

/** The text of a file, or undefined when it does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Syncs a folder to the disk: a synced file is still lost when its name is not synced. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and has no such call.
  if (process.platform === 'win32') return;

  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
