import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError, hasErrno } from './failures.ts';
import { fitsSocketPath } from './socket-path.ts';

/** The exclusive use of a folder by this process. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a folder, or fails with `IN_USE`. The lock is a listening socket: the kernel closes it when the process ends,
 * also after a crash, and a reused process id has no effect.
 */
export function lockFolder(folder: string): Promise<FolderLock> {
  return process.platform === 'win32' ? lockByPipe(folder) : lockBySocket(folder);
}

/**
 * `lock/` contains at most one socket, whose name is never used again. A rename creates folder and socket together, and
 * fails while the folder is not empty. So only a dead socket is ever removed, never one that replaced it meanwhile.
 */
async function lockBySocket(folder: string): Promise<FolderLock> {
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const candidate = join(folder, `lock-${name}`);
  const lock = join(folder, 'lock');
  await mkdir(candidate, { mode: 0o700 });
  const server = await withShortPath(candidate, path => listen(join(path, name)));

  try {
    while (!(await renameOntoEmpty(candidate, lock))) await removeDeadSocket(lock, folder);
  } catch (error) {
    await rm(candidate, { recursive: true, force: true });
    await close(server);
    throw error;
  }

  return {
    async release() {
      await rm(join(lock, name), { force: true });
      await close(server);
    },
  };
}

/** The name of a pipe is free as soon as its process ends. */
async function lockByPipe(folder: string): Promise<FolderLock> {
  const digest = createHash('sha256').update(folder.toLowerCase()).digest('hex');
  try {
    const server = await listen(`\\\\.\\pipe\\tessera-${digest}`);
    return { release: () => close(server) };
  } catch (error) {
    if (hasErrno(error, 'EADDRINUSE', 'EACCES')) throw inUse(folder);
    throw error;
  }
}

async function renameOntoEmpty(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (hasErrno(error, 'ENOTEMPTY', 'EEXIST')) return false;
    throw error;
  }
}

async function removeDeadSocket(lock: string, folder: string): Promise<void> {
  for (const name of await readdir(lock)) {
    if (await withShortPath(lock, path => isAlive(join(path, name)))) throw inUse(folder, name.split('-')[0]);
    await rm(join(lock, name), { force: true });
  }
}

function inUse(folder: string, pid?: string): EmbeddedPostgresError {
  const holder = pid ? `process ${pid}` : 'another process';
  return new EmbeddedPostgresError(
    'IN_USE',
    `The database in ${folder} is in use by ${holder}. Stop that Tessera first, or set TESSERA_DATA_DIR to another folder.`,
  );
}

/** Only these errors prove that no process listens; a full queue or a forbidden socket belongs to a running process. */
function isAlive(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', error => resolve(!hasErrno(error, 'ECONNREFUSED', 'ENOENT', 'ENOTSOCK')));
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy());
    server.unref();
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => server.close(() => resolve()));
}

/** A socket address has about 100 bytes, and a path may be longer: a link in the temporary folder replaces the path. */
async function withShortPath<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  if (fitsSocketPath(join(folder, `${process.pid}-00000000`))) return use(folder);

  const temporary = await mkdtemp(join(tmpdir(), 'tessera-'));
  const link = join(temporary, 'l');
  await symlink(folder, link);
  try {
    return await use(link);
  } finally {
    await rm(link);
    await rmdir(temporary);
  }
}
