import { afterAll, beforeAll, expect, test } from 'vitest';
import { allWork } from '../../../compose.ts';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { startJobs } from '../../../platform/queue/jobs.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { publishEvent } from '../events/index.ts';
import { openReceiver, portalTokenOf, svixClient } from '../scene.fixtures.ts';

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function openProject(url: string, endpoints: number) {
  const project = await server.make.project();
  const svix = svixClient(server, await portalTokenOf(server, project));
  for (let count = 0; count < endpoints; count++) await svix.endpoint.create(project.id, { url });
  return project.id;
}

function publish(projectId: string, count: number): Promise<void> {
  return transaction(server.deps.db, async tx => {
    for (let index = 0; index < count; index++) {
      await publishEvent(tx, { projectId, type: 'team.created', data: { index }, nowMillis: server.clock.now() });
    }
  });
}

/** Events of a project that no worker has begun to expand to its endpoints. */
async function waitingEvents(projectId: string): Promise<number> {
  const rows = await server.deps.db.query(sql`
    select 1 from webhook_events e
    where project_id = ${projectId}
      and not exists (select 1 from webhook_deliveries d where d.project_id = e.project_id and d.event_id = e.id)
  `);
  return rows.length;
}

test('the first webhook of a project does not wait until all events of another one are expanded to its endpoints', async () => {
  const busyReceiver = await openReceiver();
  const busy = await openProject(busyReceiver.url, 3);
  let waiting = 0;
  const receiver = await openReceiver(async () => {
    waiting = await waitingEvents(busy);
    return { status: 200 };
  });
  const quiet = await openProject(receiver.url, 1);
  await publish(busy, 600);
  await publish(quiet, 1);
  const { connection, deps } = server;
  const work = startJobs({ connection, ...allWork(deps), log: deps.log });
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
  await work.stop();
  await busyReceiver.close();
  await receiver.close();
  expect(waiting).toBeGreaterThan(0);
}, 60_000);
