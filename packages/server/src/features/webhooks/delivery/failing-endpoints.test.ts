import { webhookRetryDelaysMs } from '@tessera/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { deliver, deliverLater, makeDue, openReceiver, refusal } from '../scene.fixtures.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.fixtures.ts';

const day = 24 * 3600 * 1000;

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

describe('an endpoint that fails for long', () => {
  async function owner(): Promise<string> {
    const { userId, email } = await server.make.user();
    const body = { server_metadata: { managedProjectIds: [scene.project.id] }, primary_email_verified: true };
    await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: userId }, body });
    return email;
  }

  async function isDisabled(id: string): Promise<boolean> {
    return (await scene.svix.endpoint.get(scene.project.id, id)).disabled ?? false;
  }

  const attemptsMax = webhookRetryDelaysMs.length + 1;

  /** Publishes an event and makes its first attempts. */
  async function attemptDelivery(attempts = attemptsMax): Promise<void> {
    await scene.publish();
    for (let attempt = 1; attempt <= attempts; attempt++) await deliverLater(server);
  }

  test('is disabled when a delivery has no retry left after five days without a success, and the owners get an email', async () => {
    const email = await owner();
    const id = await scene.endpoint();
    scene.answer = { status: 500 };
    await attemptDelivery();
    await scene.advanceClock(5 * day - 1);
    await attemptDelivery();
    expect(await isDisabled(id)).toBe(false);
    await scene.advanceClock(1);
    await attemptDelivery(attemptsMax - 1);
    expect(await isDisabled(id)).toBe(false);
    await makeDue(server);
    const emails = await server.mailbox(email);
    expect(await isDisabled(id)).toBe(true);
    const count = scene.receiver.received.length;
    await deliverLater(server);
    await scene.publish();
    await deliver(server);
    expect([scene.receiver.received.length, await scene.jobs()]).toEqual([count, 0]);
    expect(
      (await scene.svix.messageAttempt.listAttemptedMessages(scene.project.id, id, { status: 2 })).data,
    ).toHaveLength(3);
    const sent = emails.filter(({ subject }) => subject === 'A webhook endpoint of A project was disabled');
    expect(sent.map(({ text }) => text.includes(`${scene.receiver.url}/hook`))).toEqual([true]);
    const audit = sql`select subject_id from audit_events where project_id = ${scene.project.id} and action = 'webhook_endpoint.disabled'`;
    expect(await server.deps.db.query(audit)).toEqual([{ subject_id: id }]);
  });

  test('gets the retries of an event that fails once after days without an event', async () => {
    const id = await scene.endpoint();
    scene.answer = { status: 500 };
    await attemptDelivery();
    await scene.advanceClock(6 * day);
    const { data } = await scene.svix.message.list(scene.project.id);
    await scene.svix.messageAttempt.resend(scene.project.id, data[0]?.id ?? '', id);
    await scene.publish();
    await deliver(server);
    expect(await isDisabled(id)).toBe(false);
    expect(await scene.jobs()).toBe(1);
  });

  test.each<[string, (id: string, url: string) => Promise<unknown>]>([
    ['PATCH', (id, url) => scene.svix.endpoint.patch(scene.project.id, id, { url })],
    ['PUT', (id, url) => scene.svix.endpoint.update(scene.project.id, id, { url })],
  ])('has no failure history after a %s with another URL', async (_, change) => {
    const id = await scene.endpoint();
    scene.answer = { status: 500 };
    await attemptDelivery();
    await scene.advanceClock(6 * day);
    await change(id, `${scene.receiver.url}/corrected`);
    await attemptDelivery();
    expect(scene.receiver.received.at(-1)?.path).toBe('/corrected');
    expect(await isDisabled(id)).toBe(false);
  });

  test('is not disabled by a 410 of the URL before a change', async () => {
    const id = await scene.endpoint();
    await scene.receiver.close();
    scene.receiver = await openReceiver(async () => {
      await scene.svix.endpoint.patch(scene.project.id, id, { url: `${scene.receiver.url}/corrected` });
      return { status: 410 };
    });
    await scene.svix.endpoint.patch(scene.project.id, id, { url: `${scene.receiver.url}/old` });
    await scene.publish();
    await deliver(server);
    expect(scene.receiver.received).toMatchObject([{ path: '/old' }]);
    expect(await isDisabled(id)).toBe(false);
  });

  test('keeps its failure history when another setting is changed', async () => {
    const id = await scene.endpoint();
    scene.answer = { status: 500 };
    await attemptDelivery();
    await scene.advanceClock(5 * day);
    await scene.svix.endpoint.patch(scene.project.id, id, { description: 'new', url: `${scene.receiver.url}/hook` });
    await attemptDelivery();
    expect(await isDisabled(id)).toBe(true);
  });

  test('is not disabled when a delivery succeeded in between', async () => {
    const id = await scene.endpoint();
    scene.answer = { status: 500 };
    await attemptDelivery();
    scene.answer = { status: 200 };
    await scene.advanceClock(4 * day);
    await scene.publish();
    await deliver(server);
    scene.answer = { status: 500 };
    await scene.advanceClock(2 * day);
    await attemptDelivery();
    expect(await isDisabled(id)).toBe(false);
  });

  test('is disabled at once when it answers 410, and its failure history is cleared when it is enabled', async () => {
    const id = await scene.endpoint();
    scene.answer = { status: 410 };
    await scene.publish();
    await deliver(server);
    expect(await isDisabled(id)).toBe(true);
    const { data } = await scene.svix.message.list(scene.project.id);
    expect(await refusal(scene.svix.messageAttempt.resend(scene.project.id, data[0]?.id ?? '', id))).toEqual([
      409,
      { code: 'conflict', detail: 'The endpoint is disabled.' },
    ]);
    await scene.advanceClock(10 * day);
    await scene.svix.endpoint.patch(scene.project.id, id, { disabled: false });
    scene.answer = { status: 500 };
    await attemptDelivery();
    expect(await isDisabled(id)).toBe(false);
  });
});
