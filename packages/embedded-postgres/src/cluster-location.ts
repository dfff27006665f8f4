import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './failures.ts';
import { exists, makeFolder, readIfThere, syncFolder } from './files.ts';

/** An account of the operating system. */
export interface Account {
  uid: number;
  gid: number;
}

/** The folders of the cluster of a data folder, and the account that PostgreSQL runs as. */
export interface ClusterLocation {
  /** The folder of the cluster, the lock, the log and the socket. */
  folder: string;
  /** The cluster itself, `PGDATA`. */
  cluster: string;
  /** The real path of the data folder. */
  dataDir: string;
  /** Set when Tessera runs as root, which PostgreSQL refuses: PostgreSQL then runs as this account. */
  account?: Account;
}

/** Holds the clusters of all data folders of root, and the copied program files. */
export const rootFolder = '/var/lib/tessera';

const pointerName = 'postgres.json';

/** Creates the folders of the cluster, or fails when the cluster belongs to another account or data folder. */
export async function openClusterLocation(dataDir: string): Promise<ClusterLocation> {
  await makeFolder(dataDir);
  const real = await realpath(dataDir);
  return process.getuid?.() === 0 ? openRootLocation(real) : openUserLocation(real);
}

/** The folder of a data folder's cluster, log and lock. `dataDir` is a real path, without symbolic links. */
export function clusterFolder(dataDir: string): string {
  return process.getuid?.() === 0 ? rootClusterFolder(dataDir) : join(dataDir, 'postgres');
}

function rootClusterFolder(dataDir: string): string {
  return join(rootFolder, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}

/**
 * Whether a data folder has a cluster, of this account or another one. For root the pointer decides: a cluster without it
 * belongs to a deleted data folder.
 */
export async function clusterExists(dataDir: string): Promise<boolean> {
  return (await exists(join(dataDir, pointerName))) || exists(join(dataDir, 'postgres', 'data'));
}

/** Creates a folder that only the account of the cluster can access. */
export async function makePrivateFolder(path: string, account?: Account): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (account) await chown(path, account.uid, account.gid);
}

/** Writes a file that only the account of the cluster can read. */
export async function writePrivateFile(path: string, text: string, account?: Account): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  if (account) await chown(path, account.uid, account.gid);
}

/** Writes the location of the cluster to the data folder. Call this when the cluster is complete. */
export async function writePointer(location: ClusterLocation): Promise<void> {
  const path = join(location.dataDir, pointerName);
  if (!location.account || (await exists(path))) return;

  const pointer = { cluster: location.folder, dataDir: location.dataDir };
  await writeFile(`${path}.new`, `${JSON.stringify(pointer, null, 2)}\n`, { flush: true });
  await rename(`${path}.new`, path);
  await syncFolder(location.dataDir);
}

/**
 * Checks that pointer and cluster both exist before the cluster is used. A cluster without a pointer belongs to a deleted
 * data folder, whose secret is lost with it: the cluster is set aside, and never opened or deleted.
 */
export async function reconcilePointer(location: ClusterLocation): Promise<{ setAside?: string }> {
  if (!location.account) return {};

  const hasPointer = await exists(join(location.dataDir, pointerName));
  const hasCluster = await exists(location.cluster);
  if (hasPointer && !hasCluster) throw clusterMissing(location);
  if (hasPointer || !hasCluster) return {};

  const setAside = `${location.cluster}.aside-${Date.now()}`;
  await rename(location.cluster, setAside);
  return { setAside };
}

async function openUserLocation(dataDir: string): Promise<ClusterLocation> {
  if (await exists(join(dataDir, pointerName))) {
    throw new EmbeddedPostgresError(
      'OTHER_ACCOUNT',
      `The database of ${dataDir} was made by root. Start Tessera as root, or set TESSERA_DATA_DIR to another folder.`,
    );
  }

  const folder = join(dataDir, 'postgres');
  await makePrivateFolder(folder);
  return { folder, cluster: join(folder, 'data'), dataDir };
}

async function openRootLocation(dataDir: string): Promise<ClusterLocation> {
  if (await exists(join(dataDir, 'postgres', 'data'))) {
    throw new EmbeddedPostgresError(
      'OTHER_ACCOUNT',
      `The database in ${dataDir} was not made by root. Start Tessera as the owner of that folder, or set TESSERA_DATA_DIR to another folder.`,
    );
  }

  const folder = rootClusterFolder(dataDir);
  await assertPointer(dataDir, folder);
  const account = await unprivilegedAccount();
  for (const path of [rootFolder, folder]) {
    await mkdir(path, { recursive: true });
    await chmod(path, 0o711);
  }
  return { folder, cluster: join(folder, 'data'), dataDir, account };
}

async function assertPointer(dataDir: string, folder: string): Promise<void> {
  const path = join(dataDir, pointerName);
  const text = await readIfThere(path);
  if (text === undefined) return;

  const pointer = parsePointer(text);
  if (pointer?.cluster === folder) return;

  const madeFor = pointer?.dataDir ? `for ${pointer.dataDir}` : 'for another folder';
  throw new EmbeddedPostgresError(
    'POINTER_MISMATCH',
    `${path} was made ${madeFor} and does not name the database of ${dataDir}. A data folder cannot be copied or moved without its database: move it back, or delete ${path} to start with an empty database.`,
  );
}

function parsePointer(text: string): { cluster?: unknown; dataDir?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function clusterMissing({ dataDir, folder }: ClusterLocation): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'CLUSTER_MISSING',
    `The database of ${dataDir} should lie in ${folder}, but is not there. Bring it back from a backup, or delete ${join(dataDir, pointerName)} to start with an empty database.`,
  );
}

/** The account `nobody`: its numbers differ between systems, and macOS writes them as negative ones. */
async function unprivilegedAccount(): Promise<Account> {
  const accounts = await readFile('/etc/passwd', 'utf8');
  const fields = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(accounts);
  if (!fields) {
    throw new EmbeddedPostgresError(
      'NO_PERMISSION',
      'PostgreSQL refuses to run as root, and the account "nobody" does not exist. Start Tessera as an ordinary account.',
    );
  }
  return { uid: Number(fields[1]) >>> 0, gid: Number(fields[2]) >>> 0 };
}
