import { access, open, readFile } from 'node:fs/promises';
import { hasErrno } from './failures.ts';

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
