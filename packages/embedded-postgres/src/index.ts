import { prepareBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { type ClusterLocation, openClusterLocation } from './cluster-location.ts';
import { failureFromError } from './failures.ts';
import { keepRunning } from './keep-running.ts';
import { chooseListener, removeLeftoverSocketFolder, removeSocketFolder } from './listener.ts';
import { lockFolder } from './lock.ts';
import { type Log, startPostmaster, stopLeftover } from './postmaster.ts';
import { databaseName, type Listener } from './settings.ts';

export { clusterExists, clusterFolder } from './cluster-location.ts';
export { type EmbeddedPostgresCode, EmbeddedPostgresError } from './failures.ts';
export { makeFolder } from './files.ts';

/** A running PostgreSQL server with the database `tessera`. */
export interface EmbeddedPostgres {
  /** The options for `pg`. `host` is the folder of a Unix socket, except on Windows. */
  connection: { host: string; port: number; user: string; database: string; password?: string };
  /** The same as a connection string. */
  url: string;
  /** The folder of cluster and log: in the data folder, or for root in `/var/lib/tessera`. */
  folder: string;
  /**
   * Stops the server, closes every open connection, and releases the data folder. Resolves when all data is on the
   * disk. May be called more than once.
   */
  stop(): Promise<void>;
}

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** Gets messages for the operator. */
  readonly log?: Log;
  /**
   * Called when a program of PostgreSQL has been started, up to three times at the first start. Work that keeps this
   * thread busy, such as loading code, does not delay the database from then on.
   */
  readonly onLaunch?: () => void;
  /**
   * Settings of `postgresql.conf` that replace ours, such as `max_connections`; a cluster of tests, which is deleted
   * afterwards, needs no `fsync`. The address cannot be replaced.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the embedded PostgreSQL on a data folder, and creates its cluster the first time. Resolves when the server
 * accepts connections. A server of a killed process is stopped first; a data folder that another process uses is
 * refused. Fails with an `EmbeddedPostgresError`, whose message tells the operator what to do.
 * A server that ends unexpectedly is restarted.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log = () => {}, onLaunch = () => {}, settings = {} } = options;
  try {
    const location = await openClusterLocation(dataDir);
    return await startLocked(location, { log, onLaunch, settings });
  } catch (error) {
    throw failureFromError(error, dataDir);
  }
}

interface StartOptions {
  readonly log: Log;
  readonly onLaunch: () => void;
  readonly settings: Readonly<Record<string, string>>;
}

async function startLocked(location: ClusterLocation, options: StartOptions): Promise<EmbeddedPostgres> {
  const lock = await lockFolder(location.folder);
  try {
    const { listener, postmaster } = await start(location, options);
    const stop = async () => {
      await postmaster.stop();
      await removeListener(listener);
      await lock.release();
    };
    let stopped: Promise<void> | undefined;
    return {
      ...addressOf(listener),
      folder: location.folder,
      stop() {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function start(location: ClusterLocation, { log, onLaunch, settings: overrides }: StartOptions) {
  const binaries = await prepareBinaries(location);
  await stopLeftover(location, binaries, log);
  await removeLeftoverSocketFolder(location);

  const { isNew, setAside } = await prepareCluster(location, binaries, onLaunch);
  if (isNew) log('made a new database', { folder: location.cluster });
  if (setAside) log('set aside the database of a deleted data folder; delete it if it is not needed', { setAside });

  const listener = await chooseListener(location);
  try {
    const startOnce = (onUnexpectedEnd: () => void) =>
      startPostmaster(location, binaries, { listener, overrides }, { log, onLaunch, onUnexpectedEnd });
    return { listener, postmaster: await keepRunning(startOnce, log) };
  } catch (error) {
    await removeListener(listener);
    throw error;
  }
}

async function removeListener(listener: Listener): Promise<void> {
  if ('socketDir' in listener) await removeSocketFolder(listener.socketDir);
}

function addressOf(listener: Listener): Pick<EmbeddedPostgres, 'connection' | 'url'> {
  const user = databaseName;
  const database = databaseName;
  if ('loopbackPort' in listener) {
    const { loopbackPort: port, password } = listener;
    const host = '127.0.0.1';
    return {
      connection: { host, port, user, database, password },
      url: `postgresql://${user}:${password}@${host}:${port}/${database}`,
    };
  }

  const { socketDir: host, port } = listener;
  const query = new URLSearchParams({ host, port: String(port) });
  return { connection: { host, port, user, database }, url: `postgresql://${user}@/${database}?${query}` };
}
