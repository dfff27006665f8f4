import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type EndpointIn, type Svix, Webhook } from 'svix';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { OutboundError } from '../../../platform/network/outbound.ts';
import { runDueJobs, startJobs } from '../../../platform/queue/jobs.ts';
import { allTasks, allWork } from '../../../tasks.ts';
import type { ProjectAccess } from '../../../test/call.ts';
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

function happens(type: 'user.created' | 'team.created' = 'team.created', data: object = { id: 'it' }): Promise<void> {
  return transaction(server.deps.db, tx =>
    publishEvent(tx, { projectId: project.id, type, data, nowMillis: server.clock.now() }),
  );
}

/** The token of the client runs out meanwhile. */
async function timePasses(byMs: number): Promise<void> {
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

describe('an event', () => {
  test('comes as type and data, once for each endpoint', async () => {
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

  test('control 87: is signed so that the libraries of Svix and of the standard take it', async () => {
    const id = await endpoint();
    const { key } = await svix.endpoint.getSecret(project.id, id);
    await happens();
    await deliver(server);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const verified = { type: 'team.created', data: { id: 'it' } };
    expect(new Webhook(key).verify(body, headers)).toEqual(verified);
    expect(new StandardWebhook(key).verify(body, headers)).toEqual(verified);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'svix-id': aMessageId });
    expect(() => new Webhook(key).verify(`${body} `, headers)).toThrow();
  });

  test('control 87: is signed by the old secret, too, for a day after a rotation', async () => {
    const id = await endpoint();
    const old = await svix.endpoint.getSecret(project.id, id);
    await svix.endpoint.rotateSecret(project.id, id);
    const next = await svix.endpoint.getSecret(project.id, id);
    await happens();
    await deliver(server);
    await timePasses(day);
    await happens();
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

  test('of a transaction that is rolled back is told to nobody', async () => {
    await endpoint();
    const failing = transaction(server.deps.db, async tx => {
      await publishEvent(tx, { projectId: project.id, type: 'team.created', data: {}, nowMillis: 1 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await deliver(server);
    expect(receiver.received).toEqual([]);
  });

  test('without an enabled endpoint for its type is not stored and makes no job', async () => {
    await happens();
    await endpoint({ filterTypes: ['user.created'] });
    await happens();
    const id = await endpoint({ disabled: true });
    await happens();
    await svix.endpoint.delete(project.id, id);
    await happens();
    expect(await jobs()).toBe(0);
    expect((await svix.message.list(project.id)).data).toEqual([]);
  });

  test('has no data URL in it: the image of a user inside one is null', async () => {
    await endpoint();
    const profile_image_url = 'data:image/png;base64,iVBORw0KGgo=';
    const { json } = await server.call('POST /users', { project, level: 'server', body: { profile_image_url } });
    expect(json).toMatchObject({ profile_image_url });
    await deliver(server);
    expect(bodies()).toEqual([{ type: 'user.created', data: { ...(json as object), profile_image_url: null } }]);
  });

  test('is one statement for whoever announces it', async () => {
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

  test('goes only where its type is wanted, and not where the endpoint is disabled', async () => {
    await endpoint({ url: `${receiver.url}/users`, filterTypes: ['user.created', 'user.deleted'] });
    await endpoint({ url: `${receiver.url}/teams`, filterTypes: ['team.created'] });
    await endpoint({ url: `${receiver.url}/disabled`, disabled: true });
    await endpoint({ url: `${receiver.url}/all` });
    await happens('user.created');
    await deliver(server);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/users']);
  });

  test('of one project is never told to another', async () => {
    const other = await server.make.project();
    const theirs = svixClient(server, await portalTokenOf(server, other));
    await theirs.endpoint.create(other.id, { url: receiver.url });
    await happens();
    await deliver(server);
    expect(receiver.received).toEqual([]);
    expect((await theirs.message.list(other.id)).data).toEqual([]);
  });

  test('control 23: holds no code that was sent by mail, and no secret', async () => {
    await endpoint();
    const user = await server.make.user({ project });
    const [letter] = await server.mailbox(user.email);
    await deliver(server);
    const told = receiver.received.map(({ body }) => body).join('\n');
    expect(told).toContain(user.email);
    expect(letter?.code).toMatch(/^\w{45}$/);
    for (const secret of [letter?.code ?? '', user.password, user.refreshToken, user.accessToken]) {
      expect(told).not.toContain(secret);
    }
  });
});

describe('an attempt that fails', () => {
  test('is made again on the schedule, under the same id, until it is taken', async () => {
    await endpoint();
    answer = { status: 500, body: 'broken' };
    await happens();
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

  test('waits about as long as the schedule says', async () => {
    const id = await endpoint();
    answer = { status: 500 };
    await happens();
    await deliver(server);
    const [row] = await server.deps.db.query<{ wait: number }>(sql`
      select extract(epoch from run_at - now()) as wait from graphile_worker._private_jobs
      where payload ->> 'projectId' = ${project.id}
    `);
    expect(row?.wait).toBeGreaterThan(4);
    expect(row?.wait).toBeLessThan(6.1);
    const { data } = await svix.messageAttempt.listAttemptedMessages(project.id, id);
    const waitsMs = Number(data[0]?.nextAttempt) - server.clock.now();
    expect(waitsMs).toBeGreaterThanOrEqual(5_000);
    expect(waitsMs).toBeLessThanOrEqual(6_000);
  });

  test('eight times is given up, which can be seen, and sent again by hand', async () => {
    const id = await endpoint();
    answer = { status: 503, body: 'no' };
    await happens();
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
      'a long answer',
      { status: 500, body: 'x'.repeat(20_000) },
      { responseStatusCode: 500, response: 'x'.repeat(16_384) },
    ],
    [
      'an answer that no text can hold',
      { status: 500, body: 'a\0b' },
      { responseStatusCode: 500, response: 'a\uFFFDb' },
    ],
  ])('stands in the log: %s', async (_, given, expected) => {
    const id = await endpoint();
    answer = given;
    await happens();
    await deliver(server);
    expect(receiver.received).toHaveLength(1);
    expect((await svix.messageAttempt.listByEndpoint(project.id, id)).data).toMatchObject([
      { ...expected, status: 2, statusText: 'fail' },
    ]);
  });

  test.each([
    ['nobody listens', 'http://127.0.0.1:9/', /^No answer: the connection failed: /],
    [
      'control 86: the name means a private address',
      'http://inside.example/',
      /^No answer: inside.example is not a public address/,
    ],
  ])('stands in the log when %s', async (_, url, expected) => {
    const { outbound } = server.deps;
    const fetchOrDeny: typeof fetch = async (input, init) => {
      if (String(input).includes('inside.example'))
        throw new OutboundError('address', 'inside.example is not a public address');
      return outbound.fetch(input, init);
    };
    const id = await endpoint({ url });
    await happens();
    const deps = { ...server.deps, outbound: { ...outbound, fetch: fetchOrDeny } };
    await runDueJobs({ connection: server.connection, tasks: allTasks(deps), log: deps.log });
    const { data } = await svix.messageAttempt.listByEndpoint(project.id, id);
    expect(data).toMatchObject([{ responseStatusCode: 0, response: expect.stringMatching(expected), status: 2 }]);
  });

  test('holds up nobody else', async () => {
    await endpoint({ url: 'http://127.0.0.1:9/' });
    await endpoint();
    await happens();
    await deliver(server);
    expect(receiver.received).toHaveLength(1);
  });
});

test('an endpoint that does not answer holds up no other one, however much there is for it', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const silent = await openReceiver(async () => {
    await released;
    return { status: 200 };
  });
  await endpoint({ url: silent.url });
  await endpoint();
  for (let count = 0; count < 20; count++) await happens();
  const { connection, deps } = server;
  const jobs = startJobs({ connection, ...allWork(deps), log: deps.log });
  await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(20);
  expect(silent.received.length).toBeLessThanOrEqual(4);
  release();
  await expect.poll(() => silent.received.length, { timeout: 15_000 }).toBe(20);
  await jobs.stop();
  await silent.close();
});

describe('an endpoint that fails for long', () => {
  async function owner(): Promise<string> {
    const { userId, email } = await server.make.user();
    const body = { server_metadata: { managedProjectIds: [project.id] } };
    await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: userId }, body });
    return email;
  }

  test('is disabled after five days without a success, and its owners learn of it', async () => {
    const email = await owner();
    const id = await endpoint();
    answer = { status: 500 };
    await happens();
    await deliver(server);
    await timePasses(5 * day - 1);
    await happens();
    await deliver(server);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
    await timePasses(1);
    await makeDue(server);
    const letters = await server.mailbox(email);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: true });
    const count = receiver.received.length;
    await deliverLater(server);
    await happens();
    await deliver(server);
    expect([receiver.received.length, await jobs()]).toEqual([count, 0]);
    expect((await svix.messageAttempt.listAttemptedMessages(project.id, id, { status: 2 })).data).toHaveLength(2);
    const told = letters.filter(({ subject }) => subject === 'A webhook endpoint of A project was disabled');
    expect(told.map(({ text }) => text.includes(`${receiver.url}/hook`))).toEqual([true]);
    const audit = sql`select subject_id from audit_events where project_id = ${project.id} and action = 'webhook_endpoint.disabled'`;
    expect(await server.deps.db.query(audit)).toEqual([{ subject_id: id }]);
  });

  test('is not disabled when something succeeded meanwhile', async () => {
    const id = await endpoint();
    answer = { status: 500 };
    await happens();
    await deliver(server);
    answer = { status: 200 };
    await timePasses(4 * day);
    await happens();
    await deliver(server);
    answer = { status: 500 };
    await timePasses(2 * day);
    await happens();
    await deliver(server);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
  });

  test('is disabled at once when it says that it is gone, and starts anew when it is enabled', async () => {
    const id = await endpoint();
    answer = { status: 410 };
    await happens();
    await deliver(server);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: true });
    const { data } = await svix.message.list(project.id);
    expect(await refusal(svix.messageAttempt.resend(project.id, data[0]?.id ?? '', id))).toEqual([
      409,
      { code: 'conflict', detail: 'The endpoint is disabled.' },
    ]);
    await timePasses(10 * day);
    await svix.endpoint.patch(project.id, id, { disabled: false });
    answer = { status: 500 };
    await happens();
    await deliver(server);
    expect(await svix.endpoint.get(project.id, id)).toMatchObject({ disabled: false });
  });
});

test('an attempt that is in the log is not made again when its job is', async () => {
  const id = await endpoint();
  answer = { status: 500 };
  await happens();
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

test('an event is spread once, even when its job is done twice', async () => {
  await endpoint();
  await happens();
  await server.deps.db.query(sql`
    select graphile_worker.add_job('webhook_event', payload => json_build_object('projectId', project_id, 'id', id))
    from webhook_events where project_id = ${project.id}
  `);
  await deliver(server);
  expect(receiver.received).toHaveLength(1);
});

test('nothing is told of a project that was deleted', async () => {
  await endpoint();
  await happens();
  await server.deps.db.query(sql`delete from projects where id = ${project.id}`);
  await deliver(server);
  expect(receiver.received).toEqual([]);
  for (const table of [sql`webhook_endpoints`, sql`webhook_events`, sql`webhook_deliveries`]) {
    expect(await server.deps.db.query(sql`select 1 from ${table} where project_id = ${project.id}`)).toEqual([]);
  }
});
