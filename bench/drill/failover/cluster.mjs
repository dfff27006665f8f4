import { until } from '@tessera/testing/until';
import { query } from '../query.mjs';
import { startEtcd } from './etcd.mjs';
import { openNode } from './node.mjs';

const nodeCount = 3;
const restMs = 3_000;
const healthyMs = 180_000;

/**
 * Three PostgreSQL under Patroni with synchronous replication, and three members of etcd.
 *
 * @typedef {Awaited<ReturnType<typeof openCluster>>} Cluster
 */
export async function openCluster(folder, register) {
  const etcd = register(await startEtcd(folder), ({ stop }) => stop());
  const nodes = [];
  for (let index = 0; index < nodeCount; index++) {
    const name = `node${index}`;
    nodes.push(register(await openNode({ name, folder, etcdPorts: etcd.ports }), ({ close }) => close()));
  }

  /** The members as the first Patroni that responds sees them. */
  async function members() {
    for (const { restPort } of nodes) {
      const url = `http://127.0.0.1:${restPort}/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(restMs) }).catch(() => undefined);
      if (answer?.ok) return (await answer.json()).members;
    }
    return [];
  }

  /** Patroni 3.0 says `running` of every PostgreSQL; newer versions say `streaming` of a standby that follows. */
  async function isWhole() {
    const all = await members();
    const has = role => all.filter(member => member.role === role && member.state === 'running').length;
    return has('leader') === 1 && has('sync_standby') === 1 && has('replica') === nodeCount - 2;
  }

  const nodeOf = async role => {
    const member = (await members()).find(one => one.role === role);
    return nodes.find(({ name }) => name === member?.name);
  };
  const cluster = {
    nodes,
    etcd,
    primary: () => until('the cluster has a primary', () => nodeOf('leader')),
    standby: () => until('the cluster has a synchronous standby', () => nodeOf('sync_standby')),
    /** Resolves when one node leads and both others follow it, one of them synchronously. */
    whole: () => until('all nodes have joined again', isWhole, healthyMs),
    async query(text, database = 'tessera') {
      const { connection } = await cluster.primary();
      return query({ ...connection, database }, text);
    },
  };
  await cluster.whole();
  await cluster.query('create role tessera login', 'postgres');
  await cluster.query('create database tessera owner tessera', 'postgres');
  return cluster;
}
