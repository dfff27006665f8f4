import { webhookRetryDelaysMs } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type EndpointIn, type Svix, Webhook } from 'svix';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { allTasks, allWork } from '../../../compose.ts';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { OutboundError } from '../../../platform/network/outbound.ts';
import { runDueJobs, startJobs } from '../../../platform/queue/jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { publishEvent } from '../events/index.ts';
import {
  deliver,
  deliverLater,
  makeDue,
  openReceiver,
  portalTokenOf,
  type Receiver,
  type ReceiverAnswer,
  refusal,
  svixClient,
} from '../scene.fixtures.ts';
import { requestsPerEndpoint, requestsPerProject } from './endpoint-limits.ts';

const day = 24 * 3600 * 1000;

let server: TestServer;
let project: ProjectAccess;
let svix: Svix;
let receiver: Receiver;
let answer: ReceiverAnswer;

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project();
  svix = svixClient(server, await portalTokenOf(server, project));
  answer = { status: 200, body: 'thanks' };
  receiver = await openReceiver(() => answer);
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await receiver.close();
});

async function endpoint(settings: Partial<EndpointIn> = {}): Promise<string> {
  return (await svix.endpoint.create(project.id, { url: `${receiver.url}/hook`, ...settings })).id;
}

function publish(type: 'user.created' | 'team.created' = 'team.created', data: object = { id: 'it' }): Promise<void> {
  return transaction(server.deps.db, tx =>
    publishEvent(tx, { projectId: project.id, type, data, nowMillis: server.clock.now() }),
  );
}

/** Advances the clock and creates a new client, because the token expires. */
async function advanceClock(byMs: number): Promise<void> {
  server.clock.advance(byMs);
  vi.setSystemTime(server.clock.now());
  svix = svixClient(server, await portalTokenOf(server, project));
}

function bodies(): unknown[] {
  return receiver.received.map(({ body }) => JSON.parse(body));
}

async function jobs(): Promise<number> {
  const rows = await server.deps.db.query(
    sql`select 1 from graphile_worker._private_jobs where payload ->> 'projectId' = ${project.id}`,
  );
  return rows.length;
}

const aMessageId = expect.stringMatching(/^msg_[0-9A-Za-z]{27}$/);
const anAttemptId = expect.stringMatching(/^atmpt_[0-9a-f]{32}$/);

describe('a webhook event', () => {
  test('is sent as type and data, once per endpoint', async () => {
    await endpoint();
    await endpoint({ url: `${receiver.url}/other` });
    const { json } = await server.call('POST /users', {
      project,
      level: 'server',
      body: { display_name: 'Ada', server_metadata: { z: 1, a: 1.5 } },
    });
    await deliver(server);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hook', '/other']);
    expect(bodies()).toEqual([1, 2].map(() => ({ type: 'user.created', data: json })));
  });

  test('control 87: has a signature that the Svix and Standard Webhooks libraries verify', async () => {
    const id = await endpoint();
    const { key } = await svix.endpoint.getSecret(project.id, id);
    await publish();
    await deliver(server);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const verified = { type: 'team.created', data: { id: 'it' } };
    expect(new Webhook(key).verify(body, headers)).toEqual(verified);
    expect(new StandardWebhook(key).verify(body, headers)).toEqual(verified);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'svix-id': aMessageId });
    expect(() => new Webhook(key).verify(`${body} `, headers)).toThrow();
  });

  test('control 87: is signed with the old and the new secret for a day after a rotation', async () => {
    const id = await endpoint();
    const old = await svix.endpoint.getSecret(project.id, id);
    await svix.endpoint.rotateSecret(project.id, id);
    const next = await svix.endpoint.getSecret(project.id, id);
    await publish();
    await deliver(server);
    await advanceClock(day);
    await publish();
    await deliver(server);
    const verifies = receiver.received.map(({ headers, body }, index) => {
      vi.setSystemTime(server.clock.now() - (index === 0 ? day : 0));
      return [old, next].map(({ key }) => {
        try {
          return new Webhook(key).verify(body, headers) !== undefined;
        } catch {
          return false;
        }
      });
    });
    expect(verifies).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  test('of a rolled back transaction is not sent', async () => {
    await endpoint();
    const failing = transaction(server.deps.db, async tx => {
      await publishEvent(tx, { projectId: project.id, type: 'team.created', data: {}, nowMillis: 1 });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await deliver(server);
    expect(receiver.received).toEqual([]);
  });

  test('without an enabled endpoint for its type is not stored and adds no job', async () => {
    await publish();
    await endpoint({ filterTypes: ['user.created'] });
    await publish();
    const id = await endpoint({ disabled: true });
    await publish();
    await svix.endpoint.delete(project.id, id);
    await publish();
    expect(await jobs()).toBe(0);
    expect((await svix.message.list(project.id)).data).toEqual([]);
  });

  test('contains no data URL: a user image inside one is null', async () => {
    await endpoint();
    const profile_image_url = 'data:image/png;base64,iVBORw0KGgo=';
    const { json } = await server.call('POST /users', { project, level: 'server', body: { profile_image_url } });
    expect(json).toMatchObject({ profile_image_url });
    await deliver(server);
    expect(bodies()).toEqual([{ type: 'user.created', data: { ...(json as object), profile_image_url: null } }]);
  });

  test('is published with one statement', async () => {
    await endpoint();
    let statements = 0;
    await transaction(server.deps.db, tx => {
      const query: typeof tx.query = statement => {
        statements++;
        return tx.query(statement);
      };
      return publishEvent({ ...tx, query }, { projectId: project.id, type: 'team.created', data: {}, nowMillis: 1 });
    });
    expect(statements).toBe(1);
    expect(await jobs()).toBe(1);
  });

  test('is sent to enabled endpoints that subscribe to its type only', async () => {
    await endpoint({ url: `${receiver.url}/users`, filterTypes: ['user.created', 'user.deleted'] });
    await endpoint({ url: `${receiver.url}/teams`, filterTypes: ['team.created'] });
    await endpoint({ url: `${receiver.url}/disabled`, disabled: true });
    await endpoint({ url: `${receiver.url}/all` });
    await publish('user.created');
    await deliver(server);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/users']);
  });

  test('of one project is never sent to another', async () => {
    const other = await server.make.project();
    const theirs = svixClient(server, await portalTokenOf(server, other));
    await theirs.endpoint.create(other.id, { url: receiver.url });
    await publish();
    await deliver(server);
    expect(receiver.received).toEqual([]);
    expect((await theirs.message.list(other.id)).data).toEqual([]);
  });

  test('control 23: contains no emailed code and no secret', async () => {
    await endpoint();
    const user = await server.make.user({ project });
    const [email] = await server.mailbox(user.email);
    await deliver(server);
    const sent = receiver.received.map(({ body }) => body).join('\n');
    expect(sent).toContain(user.email);
    expect(email?.code).toMatch(/^\w{45}$/);
    for (const secret of [email?.code ?? '', user.password, user.refreshToken, user.accessToken]) {
      expect(sent).not.toContain(secret);
    }
  });
});

describe('a failed delivery attempt', () => {
  test('is retried on the schedule under the same id until the endpoint accepts it', async () => {
    await endpoint();
    answer = { status: 500, body: 'broken' };
    await publish();
    await deliver(server);
    await deliver(server);
    expect(receiver.received).toHaveLength(1);
    await deliverLater(server);
    answer = { status: 202 };
    await deliverLater(server);
    await deliverLater(server);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['svix-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await jobs()).toBe(0);
  });

  test('waits for the delay of the schedule', async () => {
    const id = await endpoint();
    answer = { status: 500 };
    await publish();
    await deliver(server);
    const [row] = await server.deps.db.query<{ wait: number }>(sql`
      select extract(epoch from run_at - created_at) as wait from graphile_worker._private_jobs
      where payload ->> 'projectId' = ${project.id}
    `);
    expect(row?.wait).toBeGreaterThan(4);
    expect(row?.wait).toBeLessThan(6.1);
    const { data } = await svix.messageAttempt.listAttemptedMessages(project.id, id);
    const waitsMs = Number(data[0]?.nextAttempt) - server.clock.now();
    expect(waitsMs).toBeGreaterThanOrEqual(5_000);
    expect(waitsMs).toBeLessThanOrEqual(6_000);
  });

  test('is the last one after eight failures; the log shows it, and a manual resend is possible', async () => {
    const id = await endpoint();
    answer = { status: 503, body: 'no' };
    await publish();
    await deliver(server);
    for (let retry = 1; retry <= 7; retry++) await deliverLater(server);
    expect([receiver.received.length, await jobs()]).toEqual([8, 0]);
    const given = await svix.messageAttempt.listAttemptedMessages(project.id, id, { status: 2 });
    expect(given.data).toMatchObject([{ eventType: 'team.created', status: 2, statusText: 'fail', nextAttempt: null }]);
    answer = { status: 200 };
    await svix.messageAttempt.resend(project.id, given.data[0]?.id ?? '', id);
    await deliver(server);
    expect(receiver.received).toHaveLength(9);
    expect((await svix.messageAttempt.listAttemptedMessages(project.id, id, { status: 2 })).data).toEqual([]);
  });

  test.each<[string, ReceiverAnswer, object]>([
    ['a refusal', { status: 400, body: 'no such thing' }, { responseStatusCode: 400, response: 'no such thing' }],
    [
      'a redirect, which is not followed',
      { status: 302, headers: { location: '/elsewhere' } },
      { responseStatusCode: 302, response: '' },
    ],
    [
      'a long response',
      { status: 500, body: 'x'.repeat(20_000) },
      { responseStatusCode: 500, response: 'x'.repeat(16_384) },
    ],
    [
      'a response with NUL, which text columns refuse',
      { status: 500, body: 'a\0b' },
      { responseStatusCode: 500, response: 'a\uFFFDb' },
    ],
  ])('is logged with the response: %s', async (_, given, expected) => {
    const id = await endpoint();
    answer = given;
    await publish();
    await deliver(server);
    expect(receiver.received).toHaveLength(1);
    expect((await svix.messageAttempt.listByEndpoint(project.id, id)).data).toMatchObject([
      { ...expected, status: 2, statusText: 'fail' },
    ]);
  });

  test.each([
    ['no server listens', 'http://127.0.0.1:9/', /^No answer: the connection failed: /],
    [
      'control 86: the name resolves to a private address',
      'http://inside.example/',
      /^No answer: inside.example is not a public address/,
    ],
  ])('is logged with the reason when %s', async (_, url, expected) => {
    const { outbound } = server.deps;
    const postOrDeny: typeof outbound.post = async (url, request) => {
      if (url.includes('inside.example')) throw new OutboundError('address', 'inside.example is not a public address');
      return outbound.post(url, request);
    };
    const id = await endpoint({ url });
    await publish();
    const deps = { ...server.deps, outbound: { ...outbound, post: postOrDeny } };
    await runDueJobs({ connection: server.connection, tasks: allTasks(deps), log: deps.log });
    const { data } = await svix.messageAttempt.listByEndpoint(project.id, id);
    expect(data).toMatchObject([{ responseStatusCode: 0, response: expect.stringMatching(expected), status: 2 }]);
  });

  test('does not delay other endpoints', async () => {
    await endpoint({ url: 'http://127.0.0.1:9/' });
    await endpoint();
    await publish();
    await deliver(server);
    expect(receiver.received).toHaveLength(1);
  });
});

/** A receiver that answers no request before `release`. */
async function openSilentReceiver() {
  let release: () => void = () => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const silent = await openReceiver(async () => {
    await released;
    return { status: 200 };
  });
  return { ...silent, release };
}

test('a silent endpoint with many deliveries does not delay another endpoint', async () => {
  const silent = await openSilentReceiver();
  const events = 2 * requestsPerEndpoint;
  await endpoint({ url: silent.url });
  await endpoint();
  for (let count = 0; count < events; count++) await publish();
  const { connection, deps } = server;
  const jobs = startJobs({ connection, ...allWork(deps), log: deps.log });
  await expect.poll(() => receiver.received.length).toBe(events);
  expect(silent.received.length).toBeLessThanOrEqual(requestsPerEndpoint);
  silent.release();
  await expect.poll(() => silent.received.length).toBe(events);
  await jobs.stop();
  await silent.close();
});

test('many silent endpoints of a project do not delay the endpoint of another project', async () => {
  const silent = await openSilentReceiver();
  const [endpoints, events] = [10, 10];
  for (let count = 0; count < endpoints; count++) await endpoint({ url: silent.url });
  for (let count = 0; count < events; count++) await publish();
  project = await server.make.project();
  svix = svixClient(server, await portalTokenOf(server, project));
  await endpoint();
  await publish();
  const { connection, deps } = server;
  const jobs = startJobs({ connection, ...allWork(deps), log: deps.log });
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(silent.received.length).toBeLessThanOrEqual(requestsPerProject);
  silent.release();
  await expect.poll(() => silent.received.length).toBe(endpoints * events);
  await jobs.stop();
  await silent.close();
});

test('silent endpoints of many projects do not delay an endpoint that answers quickly', async () => {
  const { connection, deps } = server;
  await endpoint();
  const jobs = startJobs({ connection, ...allWork(deps), log: deps.log });
  await publish();
  await expect.poll(() => receiver.received.length).toBe(1);
  const [quickProject, silent] = [project, await openSilentReceiver()];
  for (let index = 0; index < 4; index++) {
    project = await server.make.project();
    svix = svixClient(server, await portalTokenOf(server, project));
    for (let count = 0; count < requestsPerProject; count++) await endpoint({ url: silent.url });
    await publish();
  }
  await expect.poll(() => silent.received.length).toBeGreaterThan(30);
  project = quickProject;
  await publish();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(silent.received).toHaveLength(32);
  silent.release();
  await expect.poll(() => silent.received.length, { timeout: 20_000 }).toBe(4 * requestsPerProject);
  await jobs.stop();
  await silent.close();
}, 60_000);

describe('an endpoint that fails for long', () => {
  async function owner(): Promise<string> {
    const { userId, email } = await server.make.user();
    const body = { server_metadata: { managedProjectIds: [project.id] } };
    await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: userId }, body });
    return email;
  }

  const attemptsMax = webhookRetryDelaysMs.length + 1;

  /** Publishes an event and makes its first attempts. */
  async function attemptDelivery(attempts = attemptsMax): Promise<void> {
    await publish();
    for (let attempt = 1; attempt <= attempts; attempt++) await deliverLater(server);
  }

  test('is disabled when a delivery has no retry left after five days without a success, and the owners get an email', async () => {
    const email = await owner();
    const id = await endpoint();
    answer = { status: 500 };
    await attemptDelivery();
    await advanceClock(5 * day - 1);
    await attemptDelivery();
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
    await advanceClock(1);
    await attemptDelivery(attemptsMax - 1);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
    await makeDue(server);
    const emails = await server.mailbox(email);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: true });
    const count = receiver.received.length;
    await deliverLater(server);
    await publish();
    await deliver(server);
    expect([receiver.received.length, await jobs()]).toEqual([count, 0]);
    expect((await svix.messageAttempt.listAttemptedMessages(project.id, id, { status: 2 })).data).toHaveLength(3);
    const sent = emails.filter(({ subject }) => subject === 'A webhook endpoint of A project was disabled');
    expect(sent.map(({ text }) => text.includes(`${receiver.url}/hook`))).toEqual([true]);
    const audit = sql`select subject_id from audit_events where project_id = ${project.id} and action = 'webhook_endpoint.disabled'`;
    expect(await server.deps.db.query(audit)).toEqual([{ subject_id: id }]);
  });

  test('gets the retries of an event that fails once after days without an event', async () => {
    const id = await endpoint();
    answer = { status: 500 };
    await attemptDelivery();
    await advanceClock(6 * day);
    const { data } = await svix.message.list(project.id);
    await svix.messageAttempt.resend(project.id, data[0]?.id ?? '', id);
    await publish();
    await deliver(server);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
    expect(await jobs()).toBe(1);
  });

  test.each<[string, (id: string, url: string) => Promise<unknown>]>([
    ['PATCH', (id, url) => svix.endpoint.patch(project.id, id, { url })],
    ['PUT', (id, url) => svix.endpoint.update(project.id, id, { url })],
  ])('has no failure history after a %s with another URL', async (_, change) => {
    const id = await endpoint();
    answer = { status: 500 };
    await attemptDelivery();
    await advanceClock(6 * day);
    await change(id, `${receiver.url}/corrected`);
    await attemptDelivery();
    expect(receiver.received.at(-1)?.path).toBe('/corrected');
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
  });

  test('is not disabled by a 410 of the URL before a change', async () => {
    const id = await endpoint();
    await receiver.close();
    receiver = await openReceiver(async () => {
      await svix.endpoint.patch(project.id, id, { url: `${receiver.url}/corrected` });
      return { status: 410 };
    });
    await svix.endpoint.patch(project.id, id, { url: `${receiver.url}/old` });
    await publish();
    await deliver(server);
    expect(receiver.received).toMatchObject([{ path: '/old' }]);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
  });

  test('keeps its failure history when another setting is changed', async () => {
    const id = await endpoint();
    answer = { status: 500 };
    await attemptDelivery();
    await advanceClock(5 * day);
    await svix.endpoint.patch(project.id, id, { description: 'new', url: `${receiver.url}/hook` });
    await attemptDelivery();
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: true });
  });

  test('is not disabled when a delivery succeeded in between', async () => {
    const id = await endpoint();
    answer = { status: 500 };
    await attemptDelivery();
    answer = { status: 200 };
    await advanceClock(4 * day);
    await publish();
    await deliver(server);
    answer = { status: 500 };
    await advanceClock(2 * day);
    await attemptDelivery();
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
  });

  test('is disabled at once when it answers 410, and its failure history is cleared when it is enabled', async () => {
    const id = await endpoint();
    answer = { status: 410 };
    await publish();
    await deliver(server);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: true });
    const { data } = await svix.message.list(project.id);
    expect(await refusal(svix.messageAttempt.resend(project.id, data[0]?.id ?? '', id))).toEqual([
      409,
      { code: 'conflict', detail: 'The endpoint is disabled.' },
    ]);
    await advanceClock(10 * day);
    await svix.endpoint.patch(project.id, id, { disabled: false });
    answer = { status: 500 };
    await attemptDelivery();
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
  });
});

test('an attempt that is in the log is not repeated when its job runs again', async () => {
  const id = await endpoint();
  answer = { status: 500 };
  await publish();
  await deliver(server);
  const { data } = await svix.messageAttempt.listByEndpoint(project.id, id);
  await server.deps.db.query(sql`
    select graphile_worker.add_job('webhook_delivery', payload => json_build_object(
      'projectId', project_id, 'eventId', event_id, 'endpointId', endpoint_id, 'attemptId', id, 'isManual', false
    )) from webhook_attempts where project_id = ${project.id}
  `);
  await deliver(server);
  expect(receiver.received).toHaveLength(1);
  expect((await svix.messageAttempt.listByEndpoint(project.id, id)).data).toEqual(data);
  expect(data).toMatchObject([{ id: anAttemptId, triggerType: 0 }]);
});

test('an event starts one delivery per endpoint when its job runs twice', async () => {
  await endpoint();
  await publish();
  await server.deps.db.query(sql`
    select graphile_worker.add_job('webhook_event', payload => json_build_object('projectId', project_id, 'id', id))
    from webhook_events where project_id = ${project.id}
  `);
  await deliver(server);
  expect(receiver.received).toHaveLength(1);
});

test('nothing is sent for a deleted project', async () => {
  await endpoint();
  await publish();
  await server.deps.db.query(sql`delete from projects where id = ${project.id}`);
  await deliver(server);
  expect(receiver.received).toEqual([]);
  for (const table of [sql`webhook_endpoints`, sql`webhook_events`, sql`webhook_deliveries`]) {
    expect(await server.deps.db.query(sql`select 1 from ${table} where project_id = ${project.id}`)).toEqual([]);
  }
});
