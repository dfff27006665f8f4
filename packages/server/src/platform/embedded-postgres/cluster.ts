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
 * Makes the cluster when there is none. It is made under another name and gets its own by one rename, so a cluster that
 * is there is complete, and what a killed start left behind can be told from it and is removed.
 */
export async function prepareCluster(
  location: ClusterLocation,
  binaries: Binaries,
): Promise<{ isNew: boolean; setAside?: string }> {
  const { setAside } = await reconcilePointer(location);
  await removeUnfinished(location);
  const isNew = !(await exists(location.cluster));
  if (isNew) await createCluster(location, binaries);
  await assertVersion(location, binaries);
  await writePointer(location);
  return { isNew, setAside };
}

/** The file that holds the password of a cluster that is reached over the loopback. */
export function passwordPath({ folder }: ClusterLocation): string {
  return join(folder, 'password');
}

async function createCluster(location: ClusterLocation, binaries: Binaries): Promise<void> {
  const unfinished = join(location.folder, `${unfinishedPrefix}${randomBytes(4).toString('hex')}`);
  await initialise(location, binaries, unfinished);
  await nameDatabase(location, binaries, unfinished);
  await rename(unfinished, location.cluster);
  await syncFolder(location.folder);
  await syncFolder(dirname(location.folder));
}

async function initialise(location: ClusterLocation, binaries: Binaries, folder: string): Promise<void> {
  const access = await prepareInitialAccess(location);
  let output = '';
  for (const characterLocale of characterLocales) {
    await makePrivateFolder(folder, location.account);
    const outcome = await run(location, binaries.initdb, [
      ...['--pgdata', folder, '--username', databaseName, '--no-instructions', ...access],
      // PostgreSQL's own provider: no upgrade of the system's libraries can spoil the order of an index.
      ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      `--lc-ctype=${characterLocale}`,
    ]);
    if (outcome.code === 0) return;
    await rm(folder, { recursive: true, force: true });
    output = outcome.output;
    if (!/invalid locale name/.test(output)) break;
  }
  throw failureFromOutput(output, location.folder);
}

/**
 * `pg_trgm` asks the system, not the provider, what a letter is: under `C` it drops every letter outside of ASCII.
 * glibc always has the first of these, macOS the second, and without both search works, but not by index.
 */
const characterLocales = ['C.UTF-8', 'en_US.UTF-8', 'C'];

async function prepareInitialAccess(location: ClusterLocation): Promise<string[]> {
  if (process.platform !== 'win32') return ['--auth=trust'];

  const password = randomBytes(24).toString('base64url');
  await writePrivateFile(passwordPath(location), password);
  return ['--auth=scram-sha-256', `--pwfile=${passwordPath(location)}`];
}

/** By a rename: `create database` would copy a template, at ten times the time. */
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
  // An initdb that outlived its Tessera may still be writing.
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
