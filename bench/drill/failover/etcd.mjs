import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@tessera/testing/free-port';
import { until } from '@tessera/testing/until';
import { etcd, startProgram } from './programs.mjs';

const memberCount = 3;
/** Longer than the defaults: the machine runs everything else as well. */
const timings = ['--heartbeat-interval', '300', '--election-timeout', '3000'];

/** The three members of etcd, in which Patroni keeps the leader lock. */
export async function startEtcd(folder) {
  const members = [];
  for (let index = 0; index < memberCount; index++) {
    members.push({ name: `etcd${index}`, port: await freePort(), peerPort: await freePort(), process: undefined });
  }
  const cluster = members.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`).join(',');

  async function start(member) {
    const { name, port, peerPort } = member;
    const data = join(folder, name);
    await mkdir(data, { recursive: true, mode: 0o700 });
    const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
    member.process = await startProgram({
      program: etcd,
      args: [
        ...['--name', name, '--data-dir', data, ...timings],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', cluster, '--initial-cluster-state', 'new'],
      ],
      log: join(folder, `${name}.log`),
      cwd: folder,
    });
  }

  const isHealthy = async ({ port }) => {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => {},
    );
    return answer?.ok === true;
  };
  await Promise.all(members.map(start));
  await until('etcd has a leader', async () => (await Promise.all(members.map(isHealthy))).every(Boolean));
  return {
    ports: members.map(({ port }) => port),
    kill: index => members[index].process.kill(),
    start: index => start(members[index]),
    stop: () => Promise.all(members.map(({ process }) => process.kill())),
  };
}
