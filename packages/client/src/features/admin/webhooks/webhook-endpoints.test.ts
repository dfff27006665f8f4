import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAdmin } from '../../../test/apps.ts';
import { sent } from '../../../test/signed-in.ts';
import { soon } from '../../../test/soon.ts';
import { brokenBody, json, type StubRoutes } from '../../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const extension = '/api/v1/internal/extensions';

const settings = { server_url: 'https://hooks.example/', event_types: ['user.created'] };
const endpoint = {
  id: 'ep_1',
  uid: null,
  url: 'https://shop.example/hooks',
  description: '',
  disabled: false,
  filterTypes: ['user.created'],
  metadata: {},
  version: 1,
  channels: null,
  rateLimit: null,
  throttleRate: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
};
const message = {
  id: 'msg_1',
  eventId: null,
  eventType: 'user.created',
  payload: { type: 'user.created', data: {} },
  timestamp: '2026-01-01T00:00:00.000Z',
  channels: null,
};
const attempt = {
  id: 'atmpt_1',
  endpointId: 'ep_1',
  msgId: 'msg_1',
  url: endpoint.url,
  status: 2,
  statusText: 'fail',
  response: 'no',
  responseStatusCode: 500,
  responseDurationMs: 12,
  triggerType: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
};
const page = (...data: object[]) => json({ data, done: false, iterator: 'next', prevIterator: null });
const root = '/api/v1/app/p1';

function openWebhooks(routes: StubRoutes = {}) {
  let tokens = 0;
  return openAdmin({
    'POST /api/v1/webhooks/svix-token': () => json({ token: `t${++tokens}` }),
    [`GET ${extension}/webhooks`]: () => json(settings),
    ...routes,
  });
}

test('endpoints are created, listed, changed and deleted; the keys of the project are not sent', async () => {
  const { app, server } = openWebhooks({
    [`POST ${root}/endpoint`]: () => json(endpoint, { status: 201 }),
    [`GET ${root}/endpoint`]: () => page(endpoint),
    [`PATCH ${root}/endpoint/ep_1`]: () => json({ ...endpoint, disabled: true, filterTypes: null }),
    [`DELETE ${root}/endpoint/ep_1`]: () => new Response(null, { status: 204 }),
  });
  const created = await soon(
    app.createWebhookEndpoint({ url: endpoint.url, eventTypes: ['user.created'], secret: 'whsec_x' }),
  );
  expect(created).toEqual({
    id: 'ep_1',
    uid: null,
    url: endpoint.url,
    description: '',
    disabled: false,
    eventTypes: ['user.created'],
    metadata: {},
    createdAt: new Date('2026-01-01'),
    updatedAt: new Date('2026-01-02'),
  });
  const listed = await soon(app.listWebhookEndpoints({ limit: 1 }));
  expect([listed.length, listed.nextCursor]).toEqual([1, 'next']);
  expect(await soon(app.updateWebhookEndpoint('ep_1', { disabled: true, eventTypes: null }))).toMatchObject({
    disabled: true,
    eventTypes: null,
  });
  await soon(app.deleteWebhookEndpoint('ep_1'));
  expect(sent(server)).toEqual([
    'POST /webhooks/svix-token {}',
    'GET /internal/extensions/webhooks',
    `POST /app/p1/endpoint {"url":"${endpoint.url}","filterTypes":["user.created"],"secret":"whsec_x"}`,
    'GET /app/p1/endpoint?limit=1',
    'PATCH /app/p1/endpoint/ep_1 {"disabled":true,"filterTypes":null}',
    'DELETE /app/p1/endpoint/ep_1',
  ]);
  for (const { path, headers } of server.seen.filter(({ path }) => path.startsWith(root))) {
    expect(path + headers.get('authorization')).toBe(`${path}Bearer t1`);
    expect(headers.get('x-stack-super-secret-admin-key')).toBeNull();
  }
});

test('the history is read with its filters, and a message is sent again or as an example', async () => {
  const { app, server } = openWebhooks({
    [`GET ${root}/msg`]: () => page(message),
    [`GET ${root}/endpoint/ep_1/msg`]: () =>
      page({ ...message, status: 1, statusText: 'pending', nextAttempt: '2026-01-03T00:00:00.000Z' }),
    [`GET ${root}/attempt/endpoint/ep_1`]: () => page(attempt),
    [`GET ${root}/attempt/msg/msg_1`]: () => page(attempt),
    [`POST ${root}/msg/msg_1/endpoint/ep_1/resend`]: () => json({}, { status: 202 }),
    [`POST ${root}/endpoint/ep_1/send-example`]: () => json(message),
  });
  expect((await soon(app.listWebhookMessages({ eventTypes: ['user.created'] })))[0]).toEqual({
    id: 'msg_1',
    eventType: 'user.created',
    payload: message.payload,
    timestamp: new Date('2026-01-01'),
  });
  expect((await soon(app.listWebhookEndpointMessages('ep_1', { status: 'fail' })))[0]).toMatchObject({
    status: 'pending',
    nextAttemptAt: new Date('2026-01-03'),
  });
  expect((await soon(app.listWebhookAttempts('ep_1', { before: new Date(0) })))[0]).toEqual({
    id: 'atmpt_1',
    endpointId: 'ep_1',
    messageId: 'msg_1',
    url: endpoint.url,
    status: 'fail',
    response: 'no',
    responseStatusCode: 500,
    responseDurationMs: 12,
    isManual: true,
    timestamp: new Date('2026-01-01'),
  });
  expect(await soon(app.getWebhookMessageAttempts('msg_1'))).toHaveLength(1);
  await soon(app.resendWebhook('msg_1', 'ep_1'));
  expect(await soon(app.sendWebhookExample('ep_1', 'user.created'))).toMatchObject({ id: 'msg_1' });
  expect(sent(server).slice(2)).toEqual([
    'GET /app/p1/msg?event_types=user.created',
    'GET /app/p1/endpoint/ep_1/msg?status=2',
    'GET /app/p1/attempt/endpoint/ep_1?before=1970-01-01T00%3A00%3A00.000Z',
    'GET /app/p1/attempt/msg/msg_1',
    'POST /app/p1/msg/msg_1/endpoint/ep_1/resend',
    'POST /app/p1/endpoint/ep_1/send-example {"eventType":"user.created"}',
  ]);
});

test('the secret of an endpoint is read and rotated', async () => {
  const { app, server } = openWebhooks({
    [`GET ${root}/endpoint/ep_1/secret`]: () => json({ key: 'whsec_a' }),
    [`POST ${root}/endpoint/ep_1/secret/rotate`]: () => new Response(null, { status: 204 }),
  });
  expect(await soon(app.getWebhookSecret('ep_1'))).toBe('whsec_a');
  await soon(app.rotateWebhookSecret('ep_1', { overlapSeconds: 60 }));
  expect(sent(server).at(-1)).toBe('POST /app/p1/endpoint/ep_1/secret/rotate {"gracePeriodSeconds":60}');
});

test('a secret that needs a recent sign-in is refused with the known error', async () => {
  const detail = 'Sign in again to make this change: it needs a sign-in that is more recent.';
  const { app } = openWebhooks({
    [`GET ${root}/endpoint/ep_1/secret`]: () => json({ code: 'reauthentication_required', detail }, { status: 403 }),
  });
  await expect(soon(app.getWebhookSecret('ep_1'))).rejects.toMatchObject({
    errorCode: 'REAUTHENTICATION_REQUIRED',
    message: detail,
  });
});

test('an expired token is replaced once, and a second refusal is thrown', async () => {
  const refused = () => json({ code: 'authentication_failed', detail: 'Invalid token' }, { status: 401 });
  let accepted = 't1';
  const { app } = openWebhooks({
    [`GET ${root}/endpoint`]: ({ headers }) =>
      headers.get('authorization') === `Bearer ${accepted}` ? page(endpoint) : refused(),
  });
  await soon(app.listWebhookEndpoints());
  accepted = 't2';
  expect(await soon(app.listWebhookEndpoints())).toHaveLength(1);
  accepted = 'none';
  await expect(soon(app.listWebhookEndpoints())).rejects.toMatchObject({ status: 401, sentence: 'Invalid token' });
});

test('a refused URL is an error with the sentences of the server', async () => {
  const detail = [{ loc: ['body', 'url'], msg: 'must be an https URL', type: 'value_error' }];
  const { app } = openWebhooks({
    [`POST ${root}/endpoint`]: () => json({ code: 'validation', detail }, { status: 422 }),
  });
  await expect(soon(app.createWebhookEndpoint({ url: 'ftp://x' }))).rejects.toMatchObject({
    name: 'RequestError',
    status: 422,
    sentence: 'must be an https URL',
  });
});

test('a failed token request is repeated at the next call', async () => {
  const { app, server } = openWebhooks({ [`GET ${root}/endpoint`]: () => page(endpoint) });
  const issue = server.routes['POST /api/v1/webhooks/svix-token'];
  server.routes['POST /api/v1/webhooks/svix-token'] = () => new Response('no', { status: 403 });
  await expect(soon(app.listWebhookEndpoints())).rejects.toMatchObject({ status: 403 });
  if (issue) server.routes['POST /api/v1/webhooks/svix-token'] = issue;
  expect(await soon(app.listWebhookEndpoints())).toHaveLength(1);
});

test('a webhook request whose connection breaks inside the body is a RequestError', async () => {
  const { app } = openWebhooks({ [`GET ${root}/endpoint`]: () => brokenBody() });
  await expect(soon(app.listWebhookEndpoints())).rejects.toMatchObject({ reason: 'unreachable' });
});

test('the event types are listed', async () => {
  const { app } = openWebhooks();
  expect(await soon(app.listWebhookEventTypes())).toEqual(['user.created']);
});

test('a read of webhooks is repeated while the server is away, busy or out of reach', async () => {
  const answers = [
    () => new Response('', { status: 503, headers: { 'retry-after': '1' } }),
    () => new Response('', { status: 429, headers: { 'retry-after': '1' } }),
    () => {
      throw new TypeError('fetch failed');
    },
    () => page(endpoint),
  ];
  const { app } = openWebhooks({ [`GET ${root}/endpoint`]: () => (answers.shift() ?? (() => page()))() });
  expect(await soon(app.listWebhookEndpoints())).toHaveLength(1);
});

test('a webhook endpoint is created once where the connection breaks, and a 429 says when to try again', async () => {
  let sends = 0;
  const { app } = openWebhooks({
    [`POST ${root}/endpoint`]: () => {
      sends++;
      throw new TypeError('fetch failed');
    },
    [`GET ${root}/msg`]: () => new Response('', { status: 429, headers: { 'retry-after': '60' } }),
  });
  await expect(soon(app.createWebhookEndpoint({ url: endpoint.url }))).rejects.toMatchObject({ reason: 'unreachable' });
  expect(sends).toBe(1);
  const busy = { reason: 'too-many-requests', retryAfterMs: 60_000 };
  await expect(soon(app.listWebhookMessages())).rejects.toMatchObject(busy);
});

test.each(['{"message":"no route"}', 'null'])('the body %s of a proxy is an error without a sentence', async body => {
  const headers = { 'content-type': 'application/json' };
  const { app } = openWebhooks({ [`GET ${root}/endpoint`]: () => new Response(body, { status: 404, headers }) });
  const refused = { reason: 'unexpected-answer', status: 404, sentence: undefined };
  await expect(soon(app.listWebhookEndpoints())).rejects.toMatchObject(refused);
});
