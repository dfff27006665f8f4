import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { allWork } from '../../../compose.ts';
import { startJobs } from '../../../platform/queue/jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openReceiver } from '../scene.fixtures.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.fixtures.ts';
import { requestsPerEndpoint, requestsPerProject } from './endpoint-limits.ts';

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

/** Starts the workers of the queue. */
function startWork() {
  const { connection, deps } = server;
  return startJobs({ connection, ...allWork(deps), log: deps.log });
}

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
  await scene.endpoint({ url: silent.url });
  await scene.endpoint();
  for (let count = 0; count < events; count++) await scene.publish();
  const work = startWork();
  await expect.poll(() => scene.receiver.received.length).toBe(events);
  expect(silent.received.length).toBeLessThanOrEqual(requestsPerEndpoint);
  silent.release();
  await expect.poll(() => silent.received.length).toBe(events);
  await work.stop();
  await silent.close();
});

test('many silent endpoints of a project do not delay the endpoint of another project', async () => {
  const silent = await openSilentReceiver();
  const [endpoints, events] = [10, 10];
  for (let count = 0; count < endpoints; count++) await scene.endpoint({ url: silent.url });
  for (let count = 0; count < events; count++) await scene.publish();
  await scene.changeProject();
  await scene.endpoint();
  await scene.publish();
  const work = startWork();
  await expect.poll(() => scene.receiver.received.length).toBe(1);
  expect(silent.received.length).toBeLessThanOrEqual(requestsPerProject);
  silent.release();
  await expect.poll(() => silent.received.length).toBe(endpoints * events);
  await work.stop();
  await silent.close();
});

test('silent endpoints of many projects do not delay an endpoint that answers quickly', async () => {
  await scene.endpoint();
  const work = startWork();
  await scene.publish();
  await expect.poll(() => scene.receiver.received.length).toBe(1);
  const [quickProject, silent] = [scene.project, await openSilentReceiver()];
  for (let index = 0; index < 4; index++) {
    await scene.changeProject();
    for (let count = 0; count < requestsPerProject; count++) await scene.endpoint({ url: silent.url });
    await scene.publish();
  }
  await expect.poll(() => silent.received.length).toBeGreaterThan(30);
  scene.project = quickProject;
  await scene.publish();
  await expect.poll(() => scene.receiver.received.length).toBe(2);
  expect(silent.received).toHaveLength(32);
  silent.release();
  await expect.poll(() => silent.received.length, { timeout: 20_000 }).toBe(4 * requestsPerProject);
  await work.stop();
  await silent.close();
}, 60_000);
