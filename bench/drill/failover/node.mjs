import { execFile } from 'node:child_process';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debianPostgresFolder } from '@tessera/testing/debian-postgres';
import { freePort } from '@tessera/testing/free-port';
import { startTcpProxy } from '@tessera/testing/tcp-proxy';
import { isRoot, patroni, postgresAccount, startProgram } from './programs.mjs';

const run = promisify(execFile);
/** A node has a small disk of its own when root can mount one. */
const diskSize = '400m';

/**
 * One machine of the cluster: PostgreSQL under Patroni. Each of its connections passes through a TCP proxy, so that the
 * drill can cut it off: from outside to PostgreSQL and to Patroni, and from Patroni to each member of etcd.
 *
 * @typedef {Awaited<ReturnType<typeof openNode>>} Node
 */

/** @param {{ name: string, folder: string, etcdPorts: number[] }} options */
export async function openNode({ name, folder, etcdPorts }) {
  const home = join(folder, name);
  await mkdir(home);
  const undo = [() => rm(home, { recursive: true, force: true })];
  if (isRoot) {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}`, 'tmpfs', home]);
    undo.push(() => run('umount', ['--lazy', home]));
    await chown(home, postgresAccount.uid, postgresAccount.gid);
  }
  const [port, restPort] = [await freePort(), await freePort()];
  const toPostgres = await startTcpProxy({ target: { host: '127.0.0.1', port } });
  const toPatroni = await startTcpProxy({ target: { host: '127.0.0.1', port: restPort } });
  const toEtcd = await Promise.all(etcdPorts.map(one => startTcpProxy({ target: { host: '127.0.0.1', port: one } })));
  const proxies = [toPostgres, toPatroni, ...toEtcd];
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(configurationOf({ name, home, port, restPort, toPostgres, toPatroni, toEtcd })));

  const node = { process: undefined };
  const start = async () => {
    const log = join(folder, `${name}.log`);
    node.process = await startProgram({ program: patroni, args: [file], log, cwd: home, account: postgresAccount });
  };
  const postmaster = async () => Number((await readFile(join(home, 'data/postmaster.pid'), 'utf8')).split('\n')[0]);
  await start();
  return {
    name,
    home,
    port: toPostgres.port,
    restPort: toPatroni.port,
    connection: { host: '127.0.0.1', port: toPostgres.port, user: 'postgres', database: 'tessera' },
    start,
    /** `kill -9` of PostgreSQL. Patroni is left alone. */
    killPostgres: async () => process.kill(await postmaster(), 'SIGKILL'),
    /** Simulates the loss of the machine: kills Patroni and PostgreSQL. */
    async kill() {
      const pid = await postmaster();
      await node.process.kill();
      process.kill(pid, 'SIGKILL');
    },
    cutOff() {
      for (const proxy of proxies) proxy.blackhole();
    },
    reconnect: () => Promise.all(proxies.map(proxy => proxy.resume())),
    async close() {
      await node.process.stop();
      await Promise.all(proxies.map(proxy => proxy.close()));
      for (const step of undo.reverse()) await step();
    },
  };
}

/** YAML is a superset of JSON, and Patroni reads YAML. */
function configurationOf({ name, home, port, restPort, toPostgres, toPatroni, toEtcd }) {
  return {
    scope: 'drill',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${toPatroni.port}` },
    // Without use_proxies Patroni would ask etcd for the addresses of its members and go around the proxies.
    etcd3: { hosts: toEtcd.map(proxy => `127.0.0.1:${proxy.port}`), use_proxies: true },
    bootstrap: {
      dcs: clusterSettings,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }],
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${toPostgres.port}`,
      data_dir: join(home, 'data'),
      bin_dir: debianPostgresFolder,
      pgpass: join(home, 'pgpass'),
      use_unix_socket: true,
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: home },
    },
  };
}

/** What docs/operations/failover.md recommends; a smaller log for the small disk. */
const clusterSettings = {
  ttl: 20,
  loop_wait: 3,
  retry_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      max_connections: 200,
      shared_buffers: '32MB',
      max_wal_size: '96MB',
      min_wal_size: '32MB',
      wal_keep_size: '32MB',
      max_slot_wal_keep_size: '96MB',
      wal_log_hints: 'on',
      hot_standby: 'on',
      max_wal_senders: 10,
      wal_sender_timeout: '5s',
      wal_receiver_timeout: '5s',
    },
  },
};
