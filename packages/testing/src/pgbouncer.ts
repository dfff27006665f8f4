import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TestPostgres } from './database.ts';
import { proxyTo } from './network/proxied-connection.ts';

/** The path of PgBouncer in Debian's package. */
const program = '/usr/sbin/pgbouncer';

export const hasPgbouncer = existsSync(program);

/** PgBouncer refuses to run as root, so root starts it as `nobody`. */
const nobodyId = 65_534;

const port = 6432;

export interface Pgbouncer {
  /** The same database, through the pooler. */
  readonly connection: TestPostgres;
  /** The pooler's socket, for a proxy in front of it. */
  readonly socket: { readonly path: string };
  /** `kill -9`. Its clients lose their connections. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface PgbouncerOptions {
  readonly mode: 'transaction' | 'session';
  readonly serverConnections?: number;
  /** More lines of the section `[pgbouncer]`. */
  readonly settings?: readonly string[];
}

/** A PgBouncer with few connections to PostgreSQL, on a socket in a folder of its own. */
export async function startPgbouncer(
  target: TestPostgres,
  { mode, serverConnections = 3, settings: more = [] }: PgbouncerOptions,
): Promise<Pgbouncer> {
  const account = userInfo().uid === 0 ? { uid: nobodyId, gid: nobodyId } : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  // The folder of PostgreSQL's socket is closed to other accounts, so PgBouncer connects over the loopback interface.
  const { proxy } = await proxyTo(target);
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${proxy.port} user=${target.user}`,
    '[pgbouncer]',
    `unix_socket_dir = ${folder}`,
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${serverConnections}`,
    ...more,
  ];
  const file = join(folder, 'pgbouncer.ini');
  const socket = join(folder, `.s.PGSQL.${port}`);
  await writeFile(file, settings.join('\n'));
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const run = async () => {
    const child = spawn(program, [file], { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await isUp(child.stderr);
    return child;
  };
  let current = await run();
  const kill = async () => {
    await end(current, 'SIGKILL');
    await rm(socket, { force: true });
  };
  return {
    connection: { host: folder, port, user: target.user, database: target.database },
    socket: { path: socket },
    kill,
    start: async () => {
      current = await run();
    },
    stop: async () => {
      await end(current, 'SIGTERM');
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function isUp(output: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    output.on('data', chunk => {
      seen += String(chunk);
      if (seen.includes('process up')) resolve();
    });
    output.once('end', () => reject(new Error(`PgBouncer did not start:\n${seen}`)));
  });
}
