import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type NodeProcess, startProcess } from './node-process.ts';

/** The keys of a project, from the server's key file. */
export interface ProjectKeys {
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly secretServerKey: string;
  readonly superSecretAdminKey: string;
}

/** A real server with its own data folder. Tests can kill and restart it. */
export interface TesseraServer {
  readonly url: string;
  /** The data folder. */
  readonly dataDir: string;
  /** The keys of the project `Demo`. */
  readonly keys: ProjectKeys;
  /** The output of all its processes so far. */
  log(): string;
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** `kill -9` of the server. Its PostgreSQL keeps running. */
  kill(): Promise<void>;
  /** Restarts it after `stop` or `kill`, with the same port and data. */
  start(): Promise<void>;
  /** Pauses it: requests are accepted and not answered, until it is killed. */
  pause(): void;
  /** The process id of its PostgreSQL. */
  postmasterPid(): Promise<number>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** Starts a server in development mode, with a fresh database, and waits until it answers. */
export async function startServer(env: Readonly<Record<string, string>> = {}): Promise<TesseraServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tessera-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const processes: NodeProcess[] = [];
  const current = () => processes.at(-1);

  async function start(): Promise<void> {
    processes.push(
      await startProcess('packages/server/dist/main.js', `${url}/health?db=1`, {
        TESSERA_MODE: 'development',
        TESSERA_DATA_DIR: dataDir,
        PORT: String(port),
        // All users of a test file have one address.
        TESSERA_RATE_LIMITS: 'off',
        ...env,
      }),
    );
  }

  async function remove(): Promise<void> {
    await current()?.stop();
    const folder = await clusterFolder(dataDir);
    await endLeftover(folder);
    for (const path of [folder, dataDir]) await rm(path, { recursive: true, force: true });
  }

  try {
    await start();
    return {
      url,
      dataDir,
      keys: await readKeys(dataDir),
      log: () => processes.flatMap(({ lines }) => lines).join('\n'),
      stop: async () => current()?.stop(),
      kill: async () => current()?.kill(),
      start,
      pause: () => current()?.pause(),
      postmasterPid: async () => postmasterPid(await clusterFolder(dataDir)),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function readKeys(dataDir: string): Promise<ProjectKeys> {
  const file = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8'));
  const { publishableClientKey, secretServerKey, superSecretAdminKey } = file.projects[file.demo];
  return { projectId: file.demo, publishableClientKey, secretServerKey, superSecretAdminKey };
}

/** For root, the cluster is in another folder, which a file in the data folder names. */
async function clusterFolder(dataDir: string): Promise<string> {
  const pointer = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => undefined);
  return pointer === undefined ? join(dataDir, 'postgres') : JSON.parse(pointer).cluster;
}

async function postmasterPid(folder: string): Promise<number> {
  const [pid] = (await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

/** Stops the PostgreSQL of a server that was killed and not restarted. */
async function endLeftover(folder: string): Promise<void> {
  const pid = await postmasterPid(folder).catch(() => undefined);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // PostgreSQL has ended and left its file.
  }
}
