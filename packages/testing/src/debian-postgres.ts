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

export interface DebianPostgres {
  readonly postgres: TestPostgres;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL 15 of Debian on a socket in a folder of its own. */
export function startDebianPostgres(): Promise<DebianPostgres> {
  return start(async ({ cluster, folder, account }) => {
    const initdb = [
      ...['--pgdata', cluster, '--username', 'tessera', '--auth', 'trust', '--encoding', 'UTF8'],
      ...['--locale', 'C.UTF-8', '--no-sync'],
    ];
    await run(join(debianPostgresFolder, 'initdb'), initdb, { ...account, cwd: folder });
  });
}

/** Starts a streaming replica of a PostgreSQL 15 of Debian, from a base backup. */
export function startDebianReplica({ host, port, user }: TestPostgres): Promise<DebianPostgres> {
  return start(async ({ cluster, folder, account }) => {
    const backup = [
      ...['--pgdata', cluster, '--host', host, '--port', String(port), '--username', user],
      ...['--write-recovery-conf', '--wal-method', 'stream', '--checkpoint', 'fast', '--no-sync'],
    ];
    await run(join(debianPostgresFolder, 'pg_basebackup'), backup, { ...account, cwd: folder });
  });
}

interface Place {
  readonly folder: string;
  readonly cluster: string;
  /** The account that runs PostgreSQL; empty for the own one. */
  readonly account: { readonly uid?: number; readonly gid?: number };
}

async function start(create: (place: Place) => Promise<void>): Promise<DebianPostgres> {
  const isRoot = userInfo().uid === 0;
  const account = isRoot ? { uid: nobodyId, gid: nobodyId } : {};
  const folder = await mkdtemp(join(tmpdir(), 'pg15-'));
  if (isRoot) await chown(folder, nobodyId, nobodyId);
  const cluster = join(folder, 'data');
  await create({ folder, cluster, account });

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

const readyLine = /database system is ready to accept (?:read-only )?connections/;

async function isReady(output: NodeJS.ReadableStream): Promise<void> {
  let seen = '';
  for await (const chunk of output) {
    seen += String(chunk);
    if (readyLine.test(seen)) break;
  }
  if (!readyLine.test(seen)) throw new Error(`PostgreSQL 15 did not start:\n${seen}`);
}
