import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { OutboundError } from '../../../platform/network/outbound.ts';
import { runDueJobs } from '../../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { deliver, deliverLater, type ReceiverAnswer } from '../scene.fixtures.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.fixtures.ts';

let server: TestServer;
let scene: DeliveryScene;

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openDeliveryScene(server);
});
afterEach(() => scene.close());

describe('a failed delivery attempt', () => {
  test('is retried on the schedule under the same id until the endpoint accepts it', async () => {
    await scene.endpoint();
    scene.answer = { status: 500, body: 'broken' };
    await scene.publish();
    await deliver(server);
    await deliver(server);
    expect(scene.receiver.received).toHaveLength(1);
    await deliverLater(server);
    scene.answer = { status: 202 };
    await deliverLater(server);
    await deliverLater(server);
    expect(scene.receiver.received).toHaveLength(3);
    expect(new Set(scene.receiver.received.map(({ headers }) => headers['svix-id'])).size).toBe(1);
    expect(new Set(scene.receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await scene.jobs()).toBe(0);
  });

  test('waits for the delay of the schedule', async () => {
    const id = await scene.endpoint();
    scene.answer = { status: 500 };
    await scene.publish();
    await deliver(server);
    const [row] = await server.deps.db.query<{ wait: number }>(sql`
      select extract(epoch from run_at - created_at) as wait from graphile_worker._private_jobs
      where payload ->> 'projectId' = ${scene.project.id}
    `);
    expect(row?.wait).toBeGreaterThan(4);
    expect(row?.wait).toBeLessThan(6.1);
    const { data } = await scene.svix.messageAttempt.listAttemptedMessages(scene.project.id, id);
    const waitsMs = Number(data[0]?.nextAttempt) - server.clock.now();
    expect(waitsMs).toBeGreaterThanOrEqual(5_000);
    expect(waitsMs).toBeLessThanOrEqual(6_000);
  });

  test('is the last one after eight failures; the log shows it, and a manual resend is possible', async () => {
    const id = await scene.endpoint();
    scene.answer = { status: 503, body: 'no' };
    await scene.publish();
    await deliver(server);
    for (let retry = 1; retry <= 7; retry++) await deliverLater(server);
    expect([scene.receiver.received.length, await scene.jobs()]).toEqual([8, 0]);
    const given = await scene.svix.messageAttempt.listAttemptedMessages(scene.project.id, id, { status: 2 });
    expect(given.data).toMatchObject([{ eventType: 'team.created', status: 2, statusText: 'fail', nextAttempt: null }]);
    scene.answer = { status: 200 };
    await scene.svix.messageAttempt.resend(scene.project.id, given.data[0]?.id ?? '', id);
    await deliver(server);
    expect(scene.receiver.received).toHaveLength(9);
    expect((await scene.svix.messageAttempt.listAttemptedMessages(scene.project.id, id, { status: 2 })).data).toEqual(
      [],
    );
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
    const id = await scene.endpoint();
    scene.answer = given;
    await scene.publish();
    await deliver(server);
    expect(scene.receiver.received).toHaveLength(1);
    expect((await scene.svix.messageAttempt.listByEndpoint(scene.project.id, id)).data).toMatchObject([
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
    const id = await scene.endpoint({ url });
    await scene.publish();
    const deps = { ...server.deps, outbound: { ...outbound, post: postOrDeny } };
    await runDueJobs({ ...server, deps });
    const { data } = await scene.svix.messageAttempt.listByEndpoint(scene.project.id, id);
    expect(data).toMatchObject([{ responseStatusCode: 0, response: expect.stringMatching(expected), status: 2 }]);
  });

  test('does not delay other endpoints', async () => {
    await scene.endpoint({ url: 'http://127.0.0.1:9/' });
    await scene.endpoint();
    await scene.publish();
    await deliver(server);
    expect(scene.receiver.received).toHaveLength(1);
  });
});
