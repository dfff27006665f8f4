import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tessera/testing/free-port';
import { startPgbouncer } from '@tessera/testing/pgbouncer';
import { startTcpProxy } from '@tessera/testing/tcp-proxy';
import { until } from '@tessera/testing/until';
import { keys, startServer } from '../../processes.mjs';
import { createCleanup } from '../cleanup.mjs';
import { openCluster } from './cluster.mjs';
import { startHaproxy } from './haproxy.mjs';

const serverCount = 3;
/** After a failover PgBouncer waits this long before it tries again; its default is 15 s. */
const poolerSettings = ['server_login_retry = 1', 'server_connect_timeout = 3', 'query_wait_timeout = 10'];

/**
 * Three server processes behind HAProxy, PgBouncer, and a cluster of three PostgreSQL.
 *
 * @typedef {Awaited<ReturnType<typeof openStage>>} Stage
 */

/** @param {{ main: string }} options */
export async function openStage({ main }) {
  const { register, close } = createCleanup();
  try {
    const folder = register(await mkdtemp(join(tmpdir(), 'failover-')), one =>
      rm(one, { recursive: true, force: true }),
    );
    // The account of PostgreSQL enters it as well.
    await chmod(folder, 0o755);
    const cluster = await openCluster(folder, register);
    const serverPorts = await Promise.all(Array.from({ length: serverCount }, freePort));
    const front = register(await startHaproxy({ folder, nodes: cluster.nodes, serverPorts }), ({ stop }) => stop());
    const target = { host: '127.0.0.1', port: front.ports.primary, user: 'tessera', database: 'tessera' };
    const pooler = { mode: 'transaction', serverConnections: 30, settings: poolerSettings };
    const pgbouncer = register(await startPgbouncer(target, pooler), ({ stop }) => stop());
    // PgBouncer listens on a socket; a port is simpler in an address.
    const pool = register(await startTcpProxy({ target: pgbouncer.socket }), proxy => proxy.close());

    const settings = {
      DATABASE_URL: `postgresql://tessera@127.0.0.1:${pool.port}/tessera`,
      TESSERA_DATABASE_DIRECT_URL: `postgresql://tessera@127.0.0.1:${front.ports.primary}/tessera`,
      TESSERA_SECRET: 'the secret of the drill, which is used nowhere else',
      TESSERA_PUBLIC_URL: `http://localhost:${front.ports.api}`,
      TESSERA_DRAIN_GRACE: '2s',
    };
    const openServer = port => openServerProcess({ main, dataDir: folder, settings: { ...settings, PORT: `${port}` } });
    const servers = [];
    for (const port of serverPorts) servers.push(register(await openServer(port), ({ kill }) => kill()));
    const baseUrl = `http://127.0.0.1:${front.ports.api}`;
    await until('the API answers', async () => (await fetch(`${baseUrl}/health?db=1`).catch(() => undefined))?.ok);
    return { baseUrl, keys, main, folder, cluster, servers, pgbouncer, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openServerProcess({ main, dataDir, settings }) {
  const process = { server: undefined, start, stop: () => process.server.stop(), kill: () => process.server.kill() };
  /** @param {{ main?: string, environment?: Record<string, string> }} [changed] */
  async function start(changed = {}) {
    const environment = { ...settings, ...changed.environment };
    process.server = await startServer({ main: changed.main ?? main, dataDir, environment });
  }
  await start();
  return {
    ...process,
    get server() {
      return process.server;
    },
    memoryMb: () => memoryMb(process.server.pid),
  };
}

function memoryMb(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
