import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { publishEvent } from '../events/index.ts';
import { deliver, deliverLater } from '../scene.fixtures.ts';

const apiKey = 'testsk_of_the_operator';

/** A stub with the documented HTTP API of Svix. */
interface SvixStub {
  readonly url: string;
  readonly calls: string[];
  readonly applications: { name: string; uid: string }[];
  readonly messages: { app: string; idempotencyKey: string; body: unknown }[];
  /** Responses for the next message requests, instead of success. */
  readonly refusals: { status: number; headers?: Record<string, string> }[];
  close(): Promise<void>;
}

async function openStub(): Promise<SvixStub> {
  const stub: Omit<SvixStub, 'url' | 'close'> = { calls: [], applications: [], messages: [], refusals: [] };
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const answer = (status: number, value: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    stub.calls.push(`${request.method} ${request.url}`);
    if (request.headers.authorization !== `Bearer ${apiKey}`) return answer(401, { code: 'authentication_failed' });
    const path = request.url ?? '';
    if (path === '/api/v1/app?get_if_exists=true') {
      const isThere = stub.applications.some(({ uid }) => uid === body.uid);
      if (!isThere) stub.applications.push(body);
      return answer(isThere ? 200 : 201, { id: 'app_1', ...body });
    }
    const [, app] = /\/app(?:-portal-access)?\/([^/]+)/.exec(path) ?? [];
    if (!stub.applications.some(({ uid }) => uid === app))
      return answer(404, { code: 'not_found', detail: 'Entity not found' });
    if (path === `/api/v1/auth/app-portal-access/${app}`)
      return answer(200, { token: `appsk_of_${app}`, url: 'https://app.svix.com/' });
    const refusal = stub.refusals.shift();
    if (refusal !== undefined) return answer(refusal.status, { code: 'no' }, refusal.headers);
    const idempotencyKey = String(request.headers['idempotency-key']);
    const isKnown = stub.messages.some(message => message.idempotencyKey === idempotencyKey);
    if (!isKnown) stub.messages.push({ app: app ?? '', idempotencyKey, body });
    answer(202, { id: 'msg_1', ...body });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    ...stub,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe('with TESSERA_SVIX_URL', () => {
  let stub: SvixStub;
  let server: TestServer;
  beforeEach(async () => {
    stub = await openStub();
    server = await openTestServer({ environment: { TESSERA_SVIX_URL: stub.url, TESSERA_SVIX_API_KEY: apiKey } });
  });
  afterEach(async () => {
    await server.close();
    await stub.close();
  });

  const publish = (data: object = { id: 'it' }) =>
    transaction(server.deps.db, tx =>
      publishEvent(tx, { projectId: 'internal', type: 'team.created', data, nowMillis: server.clock.now() }),
    );

  /** Delays of all queued jobs, in seconds. */
  async function waits(): Promise<number[]> {
    const rows = await server.deps.db.query<{ wait: number }>(sql`
      select round(extract(epoch from run_at - created_at))::integer as wait from graphile_worker._private_jobs
    `);
    return rows.map(({ wait }) => wait);
  }

  test('the token endpoint returns an app portal token and creates the application once', async () => {
    const answer = await server.call('POST /webhooks/svix-token', { level: 'admin', body: {} });
    expect(outcome(answer)).toEqual({ status: 201, body: { token: 'appsk_of_internal' } });
    expect(stub.applications).toEqual([{ name: 'Tessera', uid: 'internal' }]);
    await server.call('POST /webhooks/svix-token', { level: 'admin', body: {} });
    expect(stub.applications).toHaveLength(1);
  });

  test('the extension returns the Svix URL, and the built-in Svix routes are absent', async () => {
    const answer = await server.call('GET /internal/extensions/webhooks', { level: 'admin' });
    expect(answer.json).toMatchObject({ server_url: stub.url });
    expect((await ask(server.app, '/api/v1/app/internal')).status).toBe(404);
  });

  test('an event is sent without an eventId, with its id as the idempotency key, and a missing application is created', async () => {
    await publish({ id: 'it', n: 1.5 });
    await publish();
    await deliver(server);
    expect(stub.applications).toEqual([{ name: 'Tessera', uid: 'internal' }]);
    const events = await server.deps.db.query<{ eventId: string; data: object }>(
      sql`select id as "eventId", data from webhook_events`,
    );
    const expected = events.map(({ eventId, data }) => {
      const type = 'team.created';
      const body = { eventType: type, payload: { type, data } };
      return { app: 'internal', idempotencyKey: eventId, body };
    });
    expect(stub.messages).toHaveLength(2);
    expect(stub.messages).toEqual(expect.arrayContaining(expected));
    expect(await waits()).toEqual([]);
  });

  test('an event whose job runs twice makes one message', async () => {
    await publish();
    await deliver(server);
    await server.deps.db.query(sql`
      select graphile_worker.add_job('webhook_event', payload => json_build_object('projectId', project_id, 'id', id))
      from webhook_events
    `);
    await deliver(server);
    expect([stub.messages.length, await waits()]).toEqual([1, []]);
  });

  test('a 429 response is retried up to five times with growing delays or after Retry-After', async () => {
    await server.call('POST /webhooks/svix-token', { level: 'admin', body: {} });
    for (let time = 0; time < 4; time++) stub.refusals.push({ status: 429 });
    stub.refusals.push({ status: 429, headers: { 'retry-after': '30' } });
    await publish();
    const waited: number[][] = [];
    for (let time = 0; time < 5; time++) {
      await (time === 0 ? deliver(server) : deliverLater(server));
      waited.push(await waits());
    }
    expect(waited).toEqual([[1], [2], [4], [8], [30]]);
    await deliverLater(server);
    expect([stub.messages.length, await waits()]).toEqual([1, []]);
  });

  test.each([
    ['86400', 900],
    ['-1', 1],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 1],
  ])('after a 429 with Retry-After %s an event waits %i s', async (retryAfter, seconds) => {
    await server.call('POST /webhooks/svix-token', { level: 'admin', body: {} });
    stub.refusals.push({ status: 429, headers: { 'retry-after': retryAfter } });
    await publish();
    await deliver(server);
    expect(await waits()).toEqual([seconds]);
  });

  test('an event that Svix refuses with 500 stays in the queue and is retried', async () => {
    await server.call('POST /webhooks/svix-token', { level: 'admin', body: {} });
    stub.refusals.push({ status: 500 });
    await publish();
    await deliver(server);
    expect([stub.messages.length, (await waits()).length]).toEqual([0, 1]);
    await deliverLater(server);
    expect([stub.messages.length, (await waits()).length]).toEqual([1, 0]);
  });

  test('an unreachable Svix server does not delay API requests, and the token endpoint returns 503', async () => {
    await stub.close();
    const created = await server.call('POST /users', { level: 'server', body: {} });
    expect(created.status).toBe(201);
    const answer = await server.call('POST /webhooks/svix-token', { level: 'admin', body: {} });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    stub = await openStub();
  });
});

test('the body of an answer of Svix that is not read is canceled', async () => {
  let canceled = 0;
  const body = () =>
    new ReadableStream({
      cancel: () => {
        canceled += 1;
      },
    });
  const server = await openTestServer({
    environment: { TESSERA_SVIX_URL: 'https://svix.example', TESSERA_SVIX_API_KEY: apiKey },
    fetch: async url => new Response(body(), { status: String(url).endsWith('/msg') && canceled === 0 ? 404 : 200 }),
  });
  await transaction(server.deps.db, tx =>
    publishEvent(tx, { projectId: 'internal', type: 'team.created', data: {}, nowMillis: server.clock.now() }),
  );
  await deliver(server);
  // The message, the application, and the message again.
  expect(canceled).toBe(3);
  await server.close();
});
