import { ask, encodeRequest, openConnection } from './load.mjs';
import { median } from './statistics.mjs';
import { adminRequest } from './webhooks.mjs';

const connections = 10;
const messages = 500;
const messagesBeforeKill = 100;
const updates = 20;
const updateBudgetMs = 1_000;

/** @type {Record<string, (receiver: import('./webhooks.mjs').Receiver) => Promise<import('./table.mjs').Row[]>>} */
export const webhookMeasurements = {
  /** From the first request to the last delivery: the user, the queue and the receiver together. */
  async webhooks({ server, sink }) {
    const before = sink.count();
    const startedAt = performance.now();
    await makeUsers(server.port, messages);
    const lastAt = await sink.waitFor(before + messages);
    const rate = (messages * 1000) / (lastAt - startedAt);
    return [
      {
        what: `webhooks to a receiver on this machine, ${messages}`,
        value: rate,
        text: `${rate.toFixed(0)}/s`,
        budget: '',
      },
    ];
  },

  /** `kill -9` while messages are on their way (control 103). */
  async webhooksKilled(receiver) {
    const before = receiver.sink.count();
    const copiesBefore = receiver.sink.copies();
    await makeUsers(receiver.server.port, messages);
    await receiver.sink.waitFor(before + messagesBeforeKill);
    await receiver.restart();
    await receiver.sink.waitFor(before + messages);
    const twice = receiver.sink.copies() - copiesBefore - messages;
    return [
      {
        what: `webhooks after a kill -9 in the middle of ${messages}`,
        value: { lost: 0, twice },
        text: `none lost, ${twice} twice`,
        budget: 'none lost',
        isKept: true,
      },
    ];
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
