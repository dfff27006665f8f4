import { encodeRequest, openConnection } from '../load.mjs';
import { jsonRequest } from '../world.mjs';
import { killedRow, queueRow, throughputRow } from './arrivals.mjs';
import { heldAddress } from './mail.mjs';

const connections = 10;
const emails = 500;
const queuedEmails = 5_000;
const emailsBeforeKill = 100;
const redemptions = 100;

/** @type {Record<string, (bench: import('./mail.mjs').MailBench) => Promise<import('../table.mjs').Row[]>>} */
export const mailMeasurements = {
  /** From the first request to the last email: queue, rendering and SMTP together. */
  async mail({ server, sink }) {
    const send = () => askForCodes(server.port, addresses('mail', emails));
    return [
      await throughputRow(sink, { what: 'sign-in codes through the queue to a mail server', count: emails, send }),
    ];
  },

  /** Emails that are in the queue already: claiming, rendering, SMTP and the log. */
  async mailQueue({ server, sink, withDatabase }) {
    const held = sink.hold();
    await askForCodes(server.port, [heldAddress]);
    const release = await held;
    const fill = () => withDatabase(client => client.query(copyHeldEmail, [queuedEmails, Date.now()]));
    const what = 'emails from a full queue to a mail server';
    return [await queueRow(sink, { what, count: queuedEmails, fill }).finally(release)];
  },

  /** `kill -9` while emails are being sent (control 103). */
  async mailKilled(bench) {
    const send = () => askForCodes(bench.server.port, addresses('killed', emails));
    return [await killedRow(bench, { what: 'emails', count: emails, beforeKill: emailsBeforeKill, send })];
  },

  /** One code in many concurrent requests (control 16). */
  async redeem({ server, sink }) {
    const [address] = addresses('redeem', 1);
    const [nonce] = await askForCodes(server.port, [address]);
    // An email of the measurement before may arrive late.
    while (sink.codeOf(address) === undefined) await sink.arrivals.waitFor(sink.arrivals.count() + 1);
    const body = { code: `${sink.codeOf(address)}${nonce}` };
    const request = encodeRequest(jsonRequest('/api/v1/auth/otp/sign-in', body));
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: redemptions }, () => once(server.port, request)));
    const elapsedMs = performance.now() - startedAt;
    const successes = answers.filter(({ text }) => text.includes('access_token')).length;
    return [
      {
        what: `${redemptions} redemptions of one code at once`,
        value: { successes, elapsedMs },
        text: `${successes} let in, ${(elapsedMs / redemptions).toFixed(1)} ms each`,
        budget: '1 let in',
        isKept: successes === 1,
      },
    ];
  },
};

/** The row has its variables encrypted, so a measurement can only copy one. */
const copyHeldEmail = `
  with copied as (
    insert into mails (project_id, id, template, recipient, variables, created_at_millis, counts_in_quota)
    select project_id, gen_random_uuid(), template, 'queue-' || $2::bigint || '-' || number || '@example.com', variables,
      created_at_millis, false
    from mails, generate_series(1, $1::int) number
    where recipient = '${heldAddress}'
    returning project_id, id
  )
  select count(graphile_worker.add_job('mail', json_build_object('projectId', project_id, 'id', id))) from copied`;

function addresses(name, count) {
  return Array.from({ length: count }, (_, index) => `${name}-${Date.now()}-${index}@example.com`);
}

/** @returns the nonces, in the order of the addresses */
async function askForCodes(port, to) {
  const nonces = new Array(to.length);
  let next = 0;
  const lane = async () => {
    const connection = await openConnection(port);
    while (next < to.length) {
      const index = next++;
      const body = { email: to[index], callback_url: 'http://localhost:3000/callback' };
      const { text } = await connection.send(encodeRequest(jsonRequest('/api/v1/auth/otp/send-sign-in-code', body)));
      nonces[index] = JSON.parse(text).nonce;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: Math.min(connections, to.length) }, lane));
  return nonces;
}

async function once(port, request) {
  const connection = await openConnection(port);
  const answer = await connection.send(request);
  connection.close();
  return answer;
}
