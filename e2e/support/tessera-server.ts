import {
  embeddedConnection,
  makeDataFolder,
  type ProjectKeys,
  postmasterPid,
  readKeyFile,
  removeDataFolder,
} from '@tessera/testing/data-folder';
import type { TestDatabase, TestPostgres } from '@tessera/testing/database';
import { freePort } from '@tessera/testing/free-port';
import { type ServerProcess, startServerProcess } from '@tessera/testing/server-process';

/** The keys of the project `Demo`. */
export interface DemoKeys extends ProjectKeys {
  readonly projectId: string;
}

/** A real server with its own data folder and database. Tests can kill and restart it. */
export interface TesseraServer {
  readonly url: string;
  /** The data folder. */
  readonly dataDir: string;
  /** The keys of the project `Demo`. */
  readonly keys: DemoKeys;
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
  /** The connection to its database. */
  database(): Promise<TestPostgres>;
  /** The process id of its embedded PostgreSQL. */
  postmasterPid(): Promise<number>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/**
 * Starts a server in development mode, and waits until it answers. Without `database` it has an embedded PostgreSQL of
 * its own, whose start takes a second and a half.
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  database: TestDatabase | undefined,
): Promise<TesseraServer> {
  const dataDir = await makeDataFolder();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const processes: ServerProcess[] = [];
  const current = () => processes.at(-1);

  async function start(): Promise<void> {
    processes.push(
      await startServerProcess({
        dataDir,
        // All users of a test file have one address, so they share its rate limits.
        env: {
          TESSERA_MODE: 'development',
          PORT: String(port),
          TESSERA_RATE_LIMITS: 'off',
          ...(database && { DATABASE_URL: database.url }),
          ...env,
        },
      }),
    );
  }

  async function remove(): Promise<void> {
    await current()?.stop();
    if (database === undefined) await endLeftover(dataDir);
    await removeDataFolder(dataDir);
  }

  try {
    await start();
    return {
      url,
      dataDir,
      keys: await demoKeys(dataDir),
      log: () => processes.flatMap(({ lines }) => lines).join('\n'),
      stop: async () => current()?.stop(),
      kill: async () => current()?.kill(),
      start,
      pause: () => current()?.pause(),
      database: async () => database?.connection ?? embeddedConnection(dataDir),
      postmasterPid: () => postmasterPid(dataDir),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function demoKeys(dataDir: string): Promise<DemoKeys> {
  const { demo, projects } = await readKeyFile(dataDir);
  const keys = projects[demo];
  if (keys === undefined) throw new Error('the key file has no project Demo');
  return { projectId: demo, ...keys };
}

/** Stops the PostgreSQL of a server that was killed and not restarted. */
async function endLeftover(dataDir: string): Promise<void> {
  const pid = await postmasterPid(dataDir).catch(() => undefined);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // PostgreSQL has ended and left its file.
  }
}
