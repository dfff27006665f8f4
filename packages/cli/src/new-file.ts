import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from './failure.ts';

const onlyOwner = 0o600;

const missingFolder = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Writes a file that only its owner can read. It gets its name when it is complete. Until then the name is random and the
 * file is new: in a folder that others can write to, another user could prepare a file or a link under a known name.
 */
export async function writeNewFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const draft = `${path}.${randomUUID()}.part`;
  const file = await open(draft, 'wx', onlyOwner).catch(error => {
    throw missingFolder.has(error.code) ? new Failure(`There is no folder ${dirname(path)}. Create it first.`) : error;
  });
  try {
    // The umask of the process does not apply.
    await file.chmod(onlyOwner);
    const done = await work(file);
    await file.sync();
    await rename(draft, path);
    return done;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
