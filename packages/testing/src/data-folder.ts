import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterFolder } from '@tessera/embedded-postgres';
import type { TestPostgres } from './database.ts';

/** The keys of a project, from the server's key file. */
export interface ProjectKeys {
  readonly publishableClientKey: string;
  readonly secretServerKey: string;
  readonly superSecretAdminKey: string;
}

/** Creates an empty data folder for a server. */
export async function makeDataFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'tessera-test-')));
}

/** Deletes a data folder of a stopped server, and its cluster, which for root is elsewhere. */
export async function removeDataFolder(dataDir: string): Promise<void> {
  const real = await realpath(dataDir).catch(() => undefined);
  if (real === undefined) return;
  for (const path of [clusterFolder(real), real]) await rm(path, { recursive: true, force: true });
}

/** The keys that a development server wrote: of all projects by id, and the id of `Demo`. */
export async function readKeyFile(
  dataDir: string,
): Promise<{ demo: string; projects: Readonly<Record<string, ProjectKeys>> }> {
  return JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8'));
}

/** The connection to the embedded database of a running server. */
export async function embeddedConnection(dataDir: string): Promise<TestPostgres> {
  const lines = await readPidFile(dataDir);
  return { host: lines[4] ?? '', port: Number(lines[3]), user: 'tessera', database: 'tessera' };
}

/** The process id of the embedded database of a running server. */
export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readPidFile(dataDir))[0]);
}

async function readPidFile(dataDir: string): Promise<string[]> {
  return (await readFile(join(clusterFolder(await realpath(dataDir)), 'data/postmaster.pid'), 'utf8')).split('\n');
}
