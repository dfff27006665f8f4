import { execFile } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@tessera/embedded-postgres';
import { makeDataFolder, postmasterPid, removeDataFolder } from '@tessera/testing/data-folder';
import { startPgbouncer } from '@tessera/testing/pgbouncer';
import { startTcpProxy } from '@tessera/testing/tcp-proxy';
import { keys, startServer } from '../processes.mjs';
import { createCleanup } from './cleanup.mjs';
import { startFront } from './front.mjs';
import { query } from './query.mjs';

const run = promisify(execFile);

/**
 * Two server processes on one PostgreSQL, each with TCP proxies of its own in between: one for requests (`pool`), one
 * for notices and the job queue (`line`). A reverse proxy receives all requests.
 *
 * @typedef {Awaited<ReturnType<typeof openStage>>} Stage
 */

/** @param {{ main: string, hasPooler: boolean }} options */
export async function openStage({ main, hasPooler }) {
  const { register, close } = createCleanup();
  try {
    const dataDir = register(await makeDataFolder(), removeDataFolder);
    const postgres = register(await startEmbeddedPostgres({ dataDir }), ({ stop }) => stop());
    const socket = { path: join(postgres.connection.host, `.s.PGSQL.${postgres.connection.port}`) };
    const pgbouncer = hasPooler
      ? register(await startPgbouncer(postgres.connection, { mode: 'transaction', serverConnections: 8 }), ({ stop }) =>
          stop(),
        )
      : undefined;
    const front = register(await startFront(), ({ close }) => close());

    const parts = { main, dataDir, front, socket, poolSocket: pgbouncer?.socket ?? socket, register };
    const first = await openProcess(parts);
    const second = await openProcess(parts);
    return {
      baseUrl: `http://127.0.0.1:${front.port}`,
      keys,
      first,
      second,
      postgres,
      pgbouncer,
      close,
      query: text => query(postgres.connection, text),
      setConfiguration: lines => setConfiguration(postgres, lines),
      postmaster: () => postmasterPid(dataDir),
      postgresProcesses: async () => withChildren(await postmasterPid(dataDir)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A server process with its two proxies. It is known to the front while it runs. */
async function openProcess({ main, dataDir, front, socket, poolSocket, register }) {
  const pool = register(await startTcpProxy({ target: poolSocket }), ({ close }) => close());
  const line = register(await startTcpProxy({ target: socket }), ({ close }) => close());
  const urlOf = ({ port }) => `postgresql://tessera@127.0.0.1:${port}/tessera`;
  const environment = {
    DATABASE_URL: urlOf(pool),
    TESSERA_DATABASE_DIRECT_URL: urlOf(line),
    TESSERA_SECRET: 'the secret of the drill, which is used nowhere else',
    TESSERA_PUBLIC_URL: `http://localhost:${front.port}`,
    TESSERA_DRAIN_GRACE: '2s',
  };
  const process = { pool, line, server: undefined, start, stop, kill };
  async function start() {
    process.server = await startServer({ main, dataDir, environment });
    front.add(process.server.port);
  }
  async function stop() {
    const { port } = process.server;
    await process.server.stop();
    front.remove(port);
  }
  async function kill() {
    const { port } = process.server;
    await process.server.kill();
    front.remove(port);
  }
  await start();
  return register(process, ({ server }) => server.kill());
}

/** Adds lines to `postgresql.conf`, reloads it, and gives a function that takes them away again. */
async function setConfiguration({ folder, connection }, lines) {
  const file = join(folder, 'data/postgresql.conf');
  const before = await readFile(file, 'utf8');
  await appendFile(file, `${lines.join('\n')}\n`);
  await query(connection, 'select pg_reload_conf()');
  return async () => {
    await writeFile(file, before);
    await query(connection, 'select pg_reload_conf()');
  };
}

async function withChildren(parent) {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number));
  return [parent, ...rows.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)];
}
