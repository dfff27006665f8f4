import { ask, encodeRequest, openConnection } from '../load.mjs';
import { median } from '../statistics.mjs';
import { killedRow, queueRow, throughputRow } from './arrivals.mjs';
import { adminRequest } from './webhooks.mjs';

const connections = 10;
const messages = 500;
const queuedMessages = 5_000;
const messagesBeforeKill = 100;
const updates = 20;
const updateBudgetMs = 1_000;

/** @type {Record<string, (receiver: import('./webhooks.mjs').Receiver) => Promise<import('../table.mjs').Row[]>>} */
export const webhookMeasurements = {
  /** From the first request to the last delivery: the user, the queue and the receiver together. */
  async webhooks({ server, sink }) {
    const send = () => makeUsers(server.port, messages);
    return [await throughputRow(sink, { what: 'webhooks to a receiver on this machine', count: messages, send })];
  },

  /** Events that are in the queue already: claiming, signing, HTTP and the log of attempts. */
  async webhookQueue({ sink, withDatabase }) {
    const fill = () => withDatabase(client => client.query(queueEvents, [queuedMessages, Date.now()]));
    return [await queueRow(sink, { what: 'webhooks from a full queue to a receiver', count: queuedMessages, fill })];
  },

  /** `kill -9` while messages are on their way (control 103). */
  async webhooksKilled(receiver) {
    const send = () => makeUsers(receiver.server.port, messages);
    return [await killedRow(receiver, { what: 'webhooks', count: messages, beforeKill: messagesBeforeKill, send })];
  },

  /** From the answer of one process to the first answer of another that goes by the change. */
  async projectUpdate({ server, startReplica }) {
    const replica = await startReplica();
    const timesMs = await effects(server.port, replica.port).finally(replica.stop);
    const [middle, longest] = [median(timesMs), Math.max(...timesMs)];
    return [
      {
        what: 'project update to its effect on another process',
        value: { medianMs: middle, longestMs: longest },
        text: `median ${middle.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`,
        budget: '<= 1 s',
        isKept: longest <= updateBudgetMs,
      },
    ];
  },
};

const queueEvents = `
  with events as (
    insert into webhook_events (project_id, id, type, data, created_at_millis)
    select 'internal', gen_random_uuid(), 'user.created', json_build_object('id', gen_random_uuid(), 'number', number), $2
    from generate_series(1, $1::int) number
    returning project_id, id
  )
  select count(graphile_worker.add_job(
    'webhook_event', json_build_object('projectId', project_id, 'id', id), flags => array['project:' || project_id]
  ))
  from events`;

/** How long each of some changes takes from one process to the other, in milliseconds. */
async function effects(fromPort, toPort) {
  const connection = await openConnection(toPort);
  const read = encodeRequest(adminRequest({ method: 'GET', path: '/internal/projects/current' }));
  const timesMs = [];
  for (let update = 0; update < updates; update++) {
    const body = { display_name: `Tessera ${update}` };
    await ask(fromPort, adminRequest({ method: 'PATCH', path: '/internal/projects/current', body }));
    const changedAt = performance.now();
    while (JSON.parse((await connection.send(read)).text).display_name !== body.display_name) {
      if (performance.now() - changedAt > 10 * updateBudgetMs) throw new Error('the change does not arrive');
    }
    timesMs.push(performance.now() - changedAt);
  }
  connection.close();
  return timesMs;
}

async function makeUsers(port, count) {
  const request = encodeRequest(adminRequest({ path: '/users', body: {} }));
  let left = count;
  const lane = async () => {
    const connection = await openConnection(port);
    while (left-- > 0) {
      const { status, text } = await connection.send(request);
      if (status !== 201) throw new Error(`${status}: ${text}`);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, lane));
}
