import { teamEndpoints, userEndpoints, type WebhookEventType, webhookEventTypes } from '@tessera/protocol';
import { ask, type ProjectAccess } from '@tessera/testing/call';
import type { Svix } from 'svix';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { transaction } from '../../../platform/database/database.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import { publishEvent } from '../events/index.ts';
import { deliver, openReceiver, portalTokenOf, type Receiver, refusal, svixClient } from '../scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let svix: Svix;
let receiver: Receiver;
/** Response status of the receiver by path. */
let statuses: Record<string, number>;

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project();
  svix = svixClient(server, await portalTokenOf(server, project));
  statuses = {};
  receiver = await openReceiver(({ path }) => ({ status: statuses[path] ?? 200, body: `at ${path}` }));
});
afterEach(() => receiver.close());

async function endpoint(path: string): Promise<string> {
  return (await svix.endpoint.create(project.id, { url: receiver.url + path })).id;
}

async function publish(type: 'user.created' | 'team.created', name: string): Promise<void> {
  server.clock.advance(1000);
  const event = { projectId: project.id, type, data: { name }, nowMillis: server.clock.now() };
  await transaction(server.deps.db, tx => publishEvent(tx, event));
}

const nameOf = (message: { payload: { data: { name: string } } }) => message.payload.data.name;
const named = (messages: { payload: { data: { name: string } } }[]) => messages.map(nameOf).join('');

const uuid = z.uuid();
const user = userEndpoints.read.response;
const team = teamEndpoints.read.response.server;
const membership = z.strictObject({ team_id: uuid, user_id: uuid });
const teamPermission = membership.extend({ id: z.string() });
const projectPermission = z.strictObject({ id: z.string(), user_id: uuid });

/** docs/contract/emails-webhooks-metrics.md#webhooks */
const dataShapes: Readonly<Record<WebhookEventType, z.ZodType>> = {
  'user.created': user,
  'user.updated': user,
  'user.deleted': z.strictObject({ id: uuid, teams: z.array(z.strictObject({ id: uuid })) }),
  'team.created': team,
  'team.updated': team,
  'team.deleted': z.strictObject({ id: uuid }),
  'team_membership.created': membership,
  'team_membership.deleted': membership,
  'team_permission.created': teamPermission,
  'team_permission.deleted': teamPermission,
  'project_permission.created': projectPermission,
  'project_permission.deleted': projectPermission,
};

const aMessageId = expect.stringMatching(/^msg_[0-9A-Za-z]{27}$/);
const missing = [404, { code: 'not_found', detail: 'Entity not found' }];

describe('messages', () => {
  beforeEach(() => addWebhookEndpoint(server.deps.db, project.id));

  test('are listed newest first', async () => {
    await publish('team.created', 'a');
    await publish('user.created', 'b');
    const { data, ...page } = await svix.message.list(project.id);
    expect(page).toEqual({ done: true, iterator: expect.any(String), prevIterator: expect.stringMatching(/^-/) });
    expect(data[0]).toMatchObject({ id: aMessageId, payload: { type: 'user.created', data: { name: 'b' } } });
    expect(named(data)).toBe('ba');
    const id = data[0]?.id ?? '';
    expect(await svix.message.get(project.id, id)).toEqual(data[0]);
    expect(await svix.message.get(project.id, id, { withContent: false })).toEqual({ ...data[0], payload: {} });
    const bare = await svix.message.list(project.id, { withContent: false });
    expect(bare.data.map(({ payload }) => payload)).toEqual([{}, {}]);
  });

  test('of one change are listed in the order of the contract', async () => {
    const asServer = { project, level: 'server' } as const;
    const { id: user_id } = (await server.call('POST /users', { ...asServer, body: {} })).json as { id: string };
    const teamIds: string[] = [];
    for (const display_name of ['a', 'b', 'c', 'd']) {
      const body = { display_name, creator_user_id: user_id };
      teamIds.push(((await server.call('POST /teams', { ...asServer, body })).json as { id: string }).id);
      server.clock.advance(1);
    }
    await server.call('DELETE /users/{user_id}', { ...asServer, params: { user_id } });
    const { data } = await svix.message.list(project.id, { limit: 5 });
    expect(data.map(({ payload }) => payload).reverse()).toEqual([
      ...teamIds.map(team_id => ({ type: 'team_membership.deleted', data: { team_id, user_id } })),
      { type: 'user.deleted', data: { id: user_id, teams: teamIds.map(id => ({ id })) } },
    ]);
  });

  test('have exactly six keys, and channels and eventId are null', async () => {
    await publish('team.created', 'a');
    const headers = { authorization: `Bearer ${await portalTokenOf(server, project)}` };
    const list = await ask(server.app, `/api/v1/app/${project.id}/msg`, { headers });
    const message = {
      channels: null,
      eventId: null,
      eventType: 'team.created',
      id: aMessageId,
      payload: { type: 'team.created', data: { name: 'a' } },
      timestamp: new Date(server.clock.now()).toISOString(),
    };
    expect(list.json).toStrictEqual({ ...(list.json as object), data: [message] });
    const [{ id }] = (list.json as { data: [{ id: string }] }).data;
    const one = await ask(server.app, `/api/v1/app/${project.id}/msg/${id}`, { headers });
    expect(one.json).toStrictEqual(message);
  });

  test('have pages, forwards and backwards', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await publish('team.created', name);
    const first = await svix.message.list(project.id, { limit: 2 });
    const second = await svix.message.list(project.id, { limit: 2, iterator: first.iterator });
    const third = await svix.message.list(project.id, { limit: 2, iterator: second.iterator });
    expect([first, second, third].map(({ data, done }) => [named(data), done])).toEqual([
      ['ed', false],
      ['cb', false],
      ['a', true],
    ]);
    const back = await svix.message.list(project.id, { limit: 2, iterator: second.prevIterator ?? null });
    expect(named(back.data)).toBe('ed');
  });

  test('are filtered by time and type', async () => {
    await publish('team.created', 'a');
    const after = new Date(server.clock.now());
    await publish('user.created', 'b');
    await publish('team.created', 'c');
    const before = new Date(server.clock.now());
    await publish('team.created', 'd');
    const found = async (options: object) => named((await svix.message.list(project.id, options)).data);
    expect([
      await found({ after }),
      await found({ before }),
      await found({ after, before }),
      await found({ eventTypes: ['user.created'] }),
      await found({ eventTypes: ['user.created', 'team.created'] }),
      await found({ channel: 'x' }),
      await found({ tag: 'x' }),
    ]).toEqual(['dcb', 'ba', 'b', 'b', 'dcba', '', '']);
  });

  test('of another project are not listed', async () => {
    await publish('team.created', 'a');
    const { data } = await svix.message.list(project.id);
    const other = await server.make.project();
    const theirs = svixClient(server, await portalTokenOf(server, other));
    const id = data[0]?.id ?? '';
    expect(await refusal(theirs.message.get(other.id, id))).toEqual(missing);
    expect(await refusal(theirs.messageAttempt.listByMsg(other.id, id))).toEqual(missing);
  });
});

describe('delivery attempts', () => {
  let good: string;
  let bad: string;
  beforeEach(async () => {
    good = await endpoint('/good');
    bad = await endpoint('/bad');
    statuses = { '/bad': 503 };
    await publish('user.created', 'a');
    await deliver(server);
    await publish('team.created', 'b');
    await deliver(server);
  });

  test('of an endpoint are listed newest first, with the response', async () => {
    const { data } = await svix.messageAttempt.listByEndpoint(project.id, bad, { withMsg: true });
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^atmpt_[0-9a-f]{32}$/),
      endpointId: bad,
      msgId: aMessageId,
      msg: expect.objectContaining({ eventType: 'team.created', payload: {} }),
      url: `${receiver.url}/bad`,
      status: 2,
      statusText: 'fail',
      response: 'at /bad',
      responseStatusCode: 503,
      responseDurationMs: expect.any(Number),
      triggerType: 0,
      timestamp: new Date(server.clock.now()),
    });
    expect(data.map(({ msg }) => msg?.eventType)).toEqual(['team.created', 'user.created']);
    const [bare] = (await svix.messageAttempt.listByEndpoint(project.id, good, { withContent: false })).data;
    expect([bare?.response, bare?.msg, bare?.status]).toEqual(['', undefined, 0]);
  });

  test('are filtered by outcome', async () => {
    const count = async (id: string, options: object) =>
      (await svix.messageAttempt.listByEndpoint(project.id, id, options)).data.length;
    expect([
      await count(good, { status: 0 }),
      await count(good, { status: 2 }),
      await count(bad, { status: 2 }),
      await count(bad, { status: 1 }),
      await count(bad, { statusCodeClass: 500 }),
      await count(bad, { statusCodeClass: 200 }),
      await count(bad, { statusCodeClass: 0 }),
      await count(bad, { eventTypes: ['user.created'] }),
      await count(bad, { before: new Date(server.clock.now()) }),
      await count(bad, { after: new Date(server.clock.now()) }),
      await count(bad, { tag: 'x' }),
    ]).toEqual([2, 0, 2, 0, 2, 0, 0, 1, 1, 0, 0]);
  });

  test('of a message are listed for all endpoints or for one', async () => {
    const [message] = (await svix.message.list(project.id)).data;
    const all = await svix.messageAttempt.listByMsg(project.id, message?.id ?? '');
    expect(all.data.map(({ endpointId }) => endpointId).sort()).toEqual([good, bad].sort());
    const one = await svix.messageAttempt.listByMsg(project.id, message?.id ?? '', { endpointId: bad });
    expect(one.data.map(({ endpointId }) => endpointId)).toEqual([bad]);
  });

  test('have pages', async () => {
    const first = await svix.messageAttempt.listByEndpoint(project.id, bad, { limit: 1, withMsg: true });
    const options = { limit: 1, withMsg: true, iterator: first.iterator };
    const second = await svix.messageAttempt.listByEndpoint(project.id, bad, options);
    const types = [first, second].map(({ data, done }) => [data[0]?.msg?.eventType, done]);
    expect(types).toEqual([
      ['team.created', false],
      ['user.created', true],
    ]);
  });

  test('that an owner requests are made at once and marked as manual', async () => {
    const [message] = (await svix.message.list(project.id)).data;
    statuses = {};
    server.clock.advance(1000);
    expect(await svix.messageAttempt.resend(project.id, message?.id ?? '', bad)).toEqual({});
    await deliver(server);
    const { data } = await svix.messageAttempt.listByMsg(project.id, message?.id ?? '', { endpointId: bad });
    expect(data.map(({ triggerType, status }) => [triggerType, status])).toEqual([
      [1, 0],
      [0, 2],
    ]);
    const ids = receiver.received.filter(({ path }) => path === '/bad').map(({ headers }) => headers['svix-id']);
    expect(new Set(ids.slice(-2)).size).toBe(1);
  });

  test('that an owner requests can use an endpoint that is newer than the message', async () => {
    const late = await endpoint('/late');
    const [message] = (await svix.message.list(project.id)).data;
    await svix.messageAttempt.resend(project.id, message?.id ?? '', late);
    await deliver(server);
    expect(receiver.received.filter(({ path }) => path === '/late')).toHaveLength(1);
    const { data } = await svix.messageAttempt.listAttemptedMessages(project.id, late);
    expect(data).toEqual([{ ...message, status: 0, statusText: 'success', nextAttempt: null }]);
  });

  test('that an owner requests require an existing message and endpoint', async () => {
    const [message] = (await svix.message.list(project.id)).data;
    const unknownEndpoint = `ep_${'0'.repeat(32)}`;
    const nothing = `msg_${'0'.repeat(27)}`;
    expect(await refusal(svix.messageAttempt.resend(project.id, message?.id ?? '', unknownEndpoint))).toEqual(missing);
    expect(await refusal(svix.messageAttempt.resend(project.id, nothing, bad))).toEqual(missing);
  });
});

describe('an example', () => {
  test('of each type is delivered to one endpoint, whatever its filter is, with data of the declared shape', async () => {
    const { id } = await svix.endpoint.create(project.id, {
      url: `${receiver.url}/hook`,
      filterTypes: ['team.deleted'],
    });
    await endpoint('/other');
    for (const eventType of webhookEventTypes) await svix.endpoint.sendExample(project.id, id, { eventType });
    await deliver(server);
    expect(receiver.received.map(({ path }) => path)).toEqual(webhookEventTypes.map(() => '/hook'));
    const events = receiver.received.map(({ body }) => JSON.parse(body) as { type: WebhookEventType; data: object });
    expect(events.map(({ type }) => type).sort()).toEqual([...webhookEventTypes].sort());
    for (const { type, data } of events) expect(dataShapes[type].safeParse(data)).toMatchObject({ success: true });
  });

  test('is a message of the history, and one that fails is not repeated', async () => {
    statuses = { '/hook': 500 };
    const id = await endpoint('/hook');
    const sent = await svix.endpoint.sendExample(project.id, id, { eventType: 'team.deleted' });
    expect(sent.eventType).toBe('team.deleted');
    await deliver(server);
    const { data } = await svix.messageAttempt.listAttemptedMessages(project.id, id);
    expect(data).toEqual([{ ...sent, status: 2, statusText: 'fail', nextAttempt: null }]);
  });

  test('needs an enabled endpoint and a known type', async () => {
    const example = { eventType: 'team.deleted' };
    const unknown = `ep_${'0'.repeat(32)}`;
    expect(await refusal(svix.endpoint.sendExample(project.id, unknown, example))).toEqual(missing);
    const id = await endpoint('/hook');
    const invented = { eventType: 'team.invented' };
    expect(await refusal(svix.endpoint.sendExample(project.id, id, invented))).toEqual([422, expect.anything()]);
    await svix.endpoint.patch(project.id, id, { disabled: true });
    const disabled = [409, { code: 'conflict', detail: 'The endpoint is disabled.' }];
    expect(await refusal(svix.endpoint.sendExample(project.id, id, example))).toEqual(disabled);
    expect((await svix.message.list(project.id)).data).toEqual([]);
  });
});

test('the messages of an endpoint have the status of their delivery', async () => {
  const id = await endpoint('/hook');
  await publish('team.created', 'a');
  await deliver(server);
  statuses = { '/hook': 500 };
  await publish('team.created', 'b');
  await deliver(server);
  const { data } = await svix.messageAttempt.listAttemptedMessages(project.id, id);
  expect(data.map(message => [nameOf(message), message.status, message.statusText])).toEqual([
    ['b', 1, 'pending'],
    ['a', 0, 'success'],
  ]);
  const of = async (status: number) =>
    named((await svix.messageAttempt.listAttemptedMessages(project.id, id, { status })).data);
  expect([await of(0), await of(1), await of(2), await of(3)]).toEqual(['a', 'b', '', '']);
});
