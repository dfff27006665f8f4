import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestPostgres } from './database.ts';

const run = promisify(execFile);

/** The programs of Debian's package of PostgreSQL 15. */
export const debianPostgresFolder = '/usr/lib/postgresql/15/bin';

export const hasDebianPostgres = existsSync(join(debianPostgresFolder, 'initdb'));

/** PostgreSQL refuses to run as root, so root starts it as `nobody`. */
const nobodyId = 65_534;

/** Starts a PostgreSQL 15 of Debian on a socket in a folder of its own. */
export async function startDebianPostgres(): Promise<{ postgres: TestPostgres; stop(): Promise<void> }> {
  const isRoot = userInfo().uid === 0;
  const account = isRoot ? { uid: nobodyId, gid: nobodyId } : {};
  const folder = await mkdtemp(join(tmpdir(), 'pg15-'));
  if (isRoot) await chown(folder, nobodyId, nobodyId);
  const cluster = join(folder, 'data');
  const initdb = [
    '--pgdata',
    cluster,
    '--username',
    'tessera',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C.UTF-8',
  ];
  await run(join(debianPostgresFolder, 'initdb'), [...initdb, '--no-sync'], { ...account, cwd: folder });

  const options = [
    '-D',
    cluster,
    '-k',
    folder,
    '-c',
    'listen_addresses=',
    '-c',
    'fsync=off',
    '-c',
    'max_connections=200',
  ];
  const server = spawn(join(debianPostgresFolder, 'postgres'), options, {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await isReady(server.stderr);
  return {
    postgres: { host: folder, port: 5432, user: 'tessera', database: 'postgres' },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isReady(output: NodeJS.ReadableStream): Promise<void> {
  let seen = '';
  for await (const chunk of output) {
    seen += String(chunk);
    if (seen.includes('database system is ready to accept connections')) break;
  }
  if (!seen.includes('ready to accept')) throw new Error(`PostgreSQL 15 did not start:\n${seen}`);
}
