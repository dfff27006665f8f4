import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import {
  type ClusterLocation,
  makePrivateFolder,
  reconcilePointer,
  writePointer,
  writePrivateFile,
} from './cluster-location.ts';
import { EmbeddedPostgresError, failureFromOutput } from './failures.ts';
import { exists, readIfThere, syncFolder } from './files.ts';
import { run } from './run.ts';
import { databaseName } from './settings.ts';

const unfinishedPrefix = 'data.new-';

/**
 * Creates the cluster if it does not exist. It is created under a temporary name and renamed at the end, so an existing
 * cluster is always complete, and the leftovers of a killed start are recognised by their name and removed.
 */
export async function prepareCluster(
  location: ClusterLocation,
  binaries: Binaries,
  onLaunch: () => void,
): Promise<{ isNew: boolean; setAside?: string }> {
  const { setAside } = await reconcilePointer(location);
  await removeUnfinished(location);
  const isNew = !(await exists(location.cluster));
  if (isNew) await createCluster(location, binaries, onLaunch);
  await assertVersion(location, binaries);
  await writePointer(location);
  return { isNew, setAside };
}

/** The file with the password of a cluster that listens on the loopback interface. */
export function passwordPath({ folder }: ClusterLocation): string {
  return join(folder, 'password');
}

async function createCluster(location: ClusterLocation, binaries: Binaries, onLaunch: () => void): Promise<void> {
  const unfinished = join(location.folder, `${unfinishedPrefix}${randomBytes(4).toString('hex')}`);
  await initialise(location, binaries, { folder: unfinished, onLaunch });
  await nameDatabase(location, binaries, unfinished);
  await rename(unfinished, location.cluster);
  await syncFolder(location.folder);
  await syncFolder(dirname(location.folder));
}

async function initialise(
  location: ClusterLocation,
  binaries: Binaries,
  { folder, onLaunch }: { readonly folder: string; readonly onLaunch: () => void },
): Promise<void> {
  const access = await prepareInitialAccess(location);
  let output = '';
  for (const characterLocale of characterLocales) {
    await makePrivateFolder(folder, location.account);
    const running = run(location, binaries.initdb, [
      ...['--pgdata', folder, '--username', databaseName, '--no-instructions', ...access],
      // PostgreSQL's own collation provider: an upgrade of system libraries cannot corrupt the order of an index.
      ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      `--lc-ctype=${characterLocale}`,
    ]);
    onLaunch();
    const outcome = await running;
    if (outcome.code === 0) return;
    await rm(folder, { recursive: true, force: true });
    output = outcome.output;
    if (!/invalid locale name/.test(output)) break;
  }
  throw failureFromOutput(output, location.folder);
}

/**
 * `pg_trgm` uses the system's character classes, not the provider's: under `C` it ignores every non-ASCII letter.
 * glibc always has the first of these locales, macOS the second. Without both, search works but uses no index.
 */
const characterLocales = ['C.UTF-8', 'en_US.UTF-8', 'C'];

async function prepareInitialAccess(location: ClusterLocation): Promise<string[]> {
  if (process.platform !== 'win32') return ['--auth=trust'];

  const password = randomBytes(24).toString('base64url');
  await writePrivateFile(passwordPath(location), password);
  return ['--auth=scram-sha-256', `--pwfile=${passwordPath(location)}`];
}

/** Renames the database: `create database` would copy a template, which takes ten times as long. */
async function nameDatabase(location: ClusterLocation, binaries: Binaries, folder: string): Promise<void> {
  const statement = `alter database postgres rename to ${databaseName};\n`;
  const outcome = await run(location, binaries.postgres, ['--single', '-j', '-D', folder, 'template1'], statement);
  if (outcome.code !== 0 || /ERROR|FATAL|PANIC/.test(outcome.output)) {
    throw failureFromOutput(outcome.output, location.folder);
  }
}

async function removeUnfinished({ folder }: ClusterLocation): Promise<void> {
  const names = await readdir(folder);
  const unfinished = names.filter(name => name.startsWith(unfinishedPrefix));
  // An initdb that outlived its Tessera process may still be writing.
  await Promise.all(unfinished.map(name => rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })));
}

async function assertVersion({ cluster, dataDir }: ClusterLocation, { major }: Binaries): Promise<void> {
  const version = (await readIfThere(join(cluster, 'PG_VERSION')))?.trim();
  if (version === String(major)) return;
  if (version === undefined) {
    throw new EmbeddedPostgresError(
      'START_FAILED',
      `${cluster} is not a PostgreSQL cluster: its file PG_VERSION is missing. Restore it from a backup, or move it away to start with an empty database.`,
    );
  }
  throw new EmbeddedPostgresError(
    'OTHER_VERSION',
    `The database of ${dataDir} was made by PostgreSQL ${version}, this release of Tessera brings PostgreSQL ${major}. Run "tessera export" with the release that made it, then "tessera import" into a new data folder with this one.`,
  );
}
