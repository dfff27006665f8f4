import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openConnection } from '../load.mjs';

const settleMs = 300;
const tables = ['users', 'contact_channels', 'events', 'team_memberships'];

/**
 * What PostgreSQL did for each request: the server's own statements, explained and analysed as they ran.
 *
 * @param {import('./million.mjs').Million} million
 * @param {Record<string, Buffer>} requests by name
 * @returns {Promise<Record<string, { text: string, ms: number, buffers: number, seqScans: string[] }>>}
 */
export async function plansOf({ client, server, dataDir }, requests) {
  await setExplaining(client, true);
  try {
    const found = {};
    for (const [name, request] of Object.entries(requests)) found[name] = await planOf(request, { server, dataDir });
    return found;
  } finally {
    await setExplaining(client, false);
  }
}

/** For new connections, and so that there are no others. */
async function setExplaining(client, isOn) {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': 'json',
    // Names and addresses stay out of the log.
    'auto_explain.log_parameter_max_length': '0',
  };
  await client.query(`load 'auto_explain'`);
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`alter database tessera ${isOn ? `set ${name} = '${value}'` : `reset ${name}`}`);
  }
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tessera'`);
  await delay(settleMs);
}

/** The last plan of some: first ones fill caches. */
async function planOf(request, { server, dataDir }) {
  const { cluster } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => '{}'));
  const log = join(cluster ?? join(dataDir, 'postgres'), 'postgres.log');
  const connection = await openConnection(server.port);
  for (let turn = 0; turn < 3; turn++) await connection.send(request);
  await delay(settleMs);
  const before = (await readFile(log, 'utf8')).length;
  await connection.send(request);
  await delay(settleMs);
  connection.close();
  const plans = plansIn((await readFile(log, 'utf8')).slice(before));
  const page = plans.find(plan => /from users u[\s\S]*order by/.test(plan['Query Text']));
  if (page === undefined) throw new Error('no plan was logged');
  return summaryOf(page);
}

/** PostgreSQL indents what belongs to an entry by a tab. */
function plansIn(text) {
  return [...text.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, ms, json]) => ({
    ...JSON.parse(json),
    ms: Number(ms),
  }));
}

function summaryOf({ Plan: plan, ms }) {
  const nodes = flatten(plan);
  const ofUsers = nodes.filter(node => (node['Relation Name'] ?? node['Index Name'] ?? '').startsWith('users'));
  const sorts = nodes.filter(node => node['Sort Method'] && node['Actual Rows'] > 1);
  const seqScans = nodes
    .filter(node => node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name']))
    .map(node => node['Relation Name']);
  const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const steps = [...ofUsers.map(scanText), ...sorts.map(node => `sort of ${node.Plans[0]['Actual Rows']}`)];
  const text = `${steps.join(' < ')}; ${buffers} buffers, ${ms.toFixed(1)} ms`;
  return { text, ms, buffers, seqScans };
}

function scanText(node) {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const by = node['Index Name'] === undefined ? '' : ` ${node['Index Name']}`;
  const away = removed === 0 ? '' : `, ${removed} thrown away`;
  return `${node['Node Type']}${by} (${node['Actual Rows']}${away})`;
}

function flatten(node) {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
