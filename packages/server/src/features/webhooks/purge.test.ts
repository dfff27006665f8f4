import { webhookRetentionMs } from '@tessera/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '../../platform/database/database.ts';
import { purge } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { publishEvent } from './events/index.ts';
import { webhookPurgeRules } from './purge.ts';
import { deliver, openReceiver, portalTokenOf, type Receiver, svixClient } from './scene.fixtures.ts';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await openTestServer();
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await server.close();
});

test('control 104: messages are deleted after 90 days with their attempts, and endpoints 90 days after their deletion', async () => {
  const project = await server.make.project();
  const client = async () => svixClient(server, await portalTokenOf(server, project));
  const publish = () =>
    transaction(server.deps.db, tx =>
      publishEvent(tx, { projectId: project.id, type: 'team.created', data: {}, nowMillis: server.clock.now() }),
    );
  const rows = async () => {
    const [counts] = await server.deps.db.query(sql`
      select
        (select count(*) from webhook_events where project_id = ${project.id}) as events,
        (select count(*) from webhook_deliveries where project_id = ${project.id}) as deliveries,
        (select count(*) from webhook_attempts where project_id = ${project.id}) as attempts,
        (select count(*) from webhook_endpoints where project_id = ${project.id}) as endpoints
    `);
    return counts;
  };
  const svix = await client();
  await svix.endpoint.create(project.id, { url: receiver.url });
  const { id } = await svix.endpoint.create(project.id, { url: receiver.url });
  await publish();
  await deliver(server);
  await svix.endpoint.delete(project.id, id);
  server.clock.advance(1000);
  await publish();
  await deliver(server);
  const sweep = purge(webhookPurgeRules, server.deps);
  await sweep({});
  expect(await rows()).toEqual({ events: 2, deliveries: 3, attempts: 3, endpoints: 2 });
  server.clock.advance(webhookRetentionMs - 999);
  await sweep({});
  expect(await rows()).toEqual({ events: 1, deliveries: 1, attempts: 1, endpoints: 1 });
  server.clock.advance(1000);
  await sweep({});
  expect(await rows()).toEqual({ events: 0, deliveries: 0, attempts: 0, endpoints: 1 });
});
