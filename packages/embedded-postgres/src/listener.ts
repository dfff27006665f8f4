import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { passwordPath } from './cluster.ts';
import { type ClusterLocation, makePrivateFolder } from './cluster-location.ts';
import { readPidFile } from './pid-file.ts';
import type { Listener } from './settings.ts';
import { fitsSocketPath } from './socket-path.ts';

/** The port is only a part of the socket's name: the server does not listen on the network. */
const socketPort = 5432;

const temporaryPrefix = join(tmpdir(), 'tessera-');

/** Chooses the server's socket or port, which no other account can access. */
export async function chooseListener(location: ClusterLocation): Promise<Listener> {
  if (process.platform !== 'win32') return { socketDir: await makeSocketFolder(location), port: socketPort };
  return { loopbackPort: await freePort(), password: await readFile(passwordPath(location), 'utf8') };
}

/** Removes the socket folder of a stopped server if it was a temporary one. */
export async function removeSocketFolder(socketDir: string): Promise<void> {
  const isTemporary = dirname(socketDir) === dirname(temporaryPrefix) && socketDir.startsWith(temporaryPrefix);
  if (isTemporary) await rm(socketDir, { recursive: true, force: true });
}

/** Removes the temporary socket folder of an earlier server that was killed. */
export async function removeLeftoverSocketFolder(location: ClusterLocation): Promise<void> {
  const leftover = await readPidFile(location.cluster);
  if (leftover) await removeSocketFolder(leftover.socketDir);
}

async function makeSocketFolder(location: ClusterLocation): Promise<string> {
  const folder = join(location.folder, 'run');
  if (fitsSocketPath(join(folder, `.s.PGSQL.${socketPort}`))) {
    await makePrivateFolder(folder, location.account);
    return folder;
  }

  const temporary = await mkdtemp(temporaryPrefix);
  if (location.account) await chown(temporary, location.account.uid, location.account.gid);
  return temporary;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address instanceof Object ? address.port : 0;
}
