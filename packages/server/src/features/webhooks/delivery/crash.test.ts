import { internalKeys } from '@tessera/testing/call';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { type KilledWorker, openKilledWorker } from '../../../test/killed-worker.ts';
import { publishEvent } from '../events/index.ts';
import {
  openReceiver,
  portalTokenOf,
  type Received,
  type Receiver,
  type ReceiverAnswer,
  svixClient,
} from '../scene.fixtures.ts';

let worker: KilledWorker;
let server: TestServer;
let receiver: Receiver;

beforeAll(async () => {
  worker = await openKilledWorker();
});
afterAll(() => worker.remove());
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(async () => {
  await worker.stop();
  await server.close();
  await receiver.close();
});

async function open(answer: (request: Received) => ReceiverAnswer | Promise<ReceiverAnswer>): Promise<void> {
  receiver = await openReceiver(answer);
  const svix = svixClient(server, await portalTokenOf(server, { id: 'internal', ...internalKeys }));
  await svix.endpoint.create('internal', { url: receiver.url });
}

async function publishMany(count: number): Promise<void> {
  await transaction(server.deps.db, async tx => {
    for (let index = 0; index < count; index++) {
      await publishEvent(tx, {
        projectId: 'internal',
        type: 'team.deleted',
        data: { id: String(index) },
        nowMillis: index,
      });
    }
  });
}

async function waitForDeliveries(count: number): Promise<void> {
  const told = sql`select count(*) as count from webhook_deliveries where status = 'success'`;
  await expect.poll(() => server.deps.db.query<{ count: number }>(told), { timeout: 30_000 }).toEqual([{ count }]);
}

function messageIds(): string[] {
  return receiver.received.map(({ headers }) => headers['svix-id'] ?? '');
}

test('control 103: a request that was sent before the process was killed is sent again under the same message id', async () => {
  let taken: () => void = () => undefined;
  const firstTaken = new Promise<void>(resolve => {
    taken = resolve;
  });
  let deaths = 0;
  await open(async () => {
    // The receiver has the request; the sender never gets the response.
    if (deaths++ === 0) {
      await worker.kill();
      taken();
    }
    return { status: 200 };
  });
  await publishMany(1);
  worker.start(server);
  await firstTaken;
  await worker.runRemainingJobs(server);
  await waitForDeliveries(1);
  expect(receiver.received).toHaveLength(2);
  expect(new Set(messageIds()).size).toBe(1);
  const attempts = await server.deps.db.query(sql`select is_success from webhook_attempts`);
  expect(attempts).toEqual([{ is_success: true }]);
});

test('control 103: of many events none is lost, and only those in flight at the kill are sent twice', async () => {
  const count = 60;
  let killed: () => void = () => undefined;
  const death = new Promise<void>(resolve => {
    killed = resolve;
  });
  let isKilled = false;
  await open(async () => {
    if (!isKilled && receiver.received.length >= count / 2) {
      isKilled = true;
      await worker.kill();
      killed();
    }
    return { status: 200 };
  });
  await publishMany(count);
  worker.start(server);
  await death;
  await worker.runRemainingJobs(server);
  await waitForDeliveries(count);
  const ids = messageIds();
  const sentTwice = ids.filter((id, index) => ids.indexOf(id) !== index);
  expect(new Set(ids).size).toBe(count);
  expect(new Set(sentTwice).size).toBe(sentTwice.length);
  // One for each event: an event whose attempt was recorded before the kill was not sent again.
  expect(await server.deps.db.query(sql`select 1 from webhook_attempts`)).toHaveLength(count);
});
