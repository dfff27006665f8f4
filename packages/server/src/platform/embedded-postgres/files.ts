import { access, open, readFile } from 'node:fs/promises';
import { hasErrno } from './failures.ts';

/** Whether there is something at a path. */
export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** The text of a file, or undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Brings the names in a folder to the disk: a file that was synced is lost all the same when its name is not. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such call, and opens no folders.
  if (process.platform === 'win32') return;

  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
