import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook } from 'svix';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { publishEvent } from '../events/index.ts';
import { deliver, portalTokenOf, svixClient } from '../scene.fixtures.ts';
import { type DeliveryScene, openDeliveryScene } from './delivery-scene.fixtures.ts';

const day = 24 * 3600 * 1000;
const aMessageId = expect.stringMatching(/^msg_[0-9A-Za-z]{27}$/);
const anAttemptId = expect.stringMatching(/^atmpt_[0-9a-f]{32}$/);

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

describe('a webhook event', () => {
  test('is sent as type and data, once per endpoint', async () => {
    await scene.endpoint();
    await scene.endpoint({ url: `${scene.receiver.url}/other` });
    const { json } = await server.call('POST /users', {
      project: scene.project,
      level: 'server',
      body: { display_name: 'Ada', server_metadata: { z: 1, a: 1.5 } },
    });
    await deliver(server);
    expect(scene.receiver.received.map(({ path }) => path).sort()).toEqual(['/hook', '/other']);
    expect(scene.bodies()).toEqual([1, 2].map(() => ({ type: 'user.created', data: json })));
  });

  test('control 87: has a signature that the Svix and Standard Webhooks libraries verify', async () => {
    const id = await scene.endpoint();
    const { key } = await scene.svix.endpoint.getSecret(scene.project.id, id);
    await scene.publish();
    await deliver(server);
    const [{ headers, body } = { headers: {}, body: '' }] = scene.receiver.received;
    const verified = { type: 'team.created', data: { id: 'it' } };
    expect(new Webhook(key).verify(body, headers)).toEqual(verified);
    expect(new StandardWebhook(key).verify(body, headers)).toEqual(verified);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'svix-id': aMessageId });
    expect(() => new Webhook(key).verify(`${body} `, headers)).toThrow();
  });

  test('control 87: is signed with the old and the new secret for a day after a rotation', async () => {
    const id = await scene.endpoint();
    const old = await scene.svix.endpoint.getSecret(scene.project.id, id);
    await scene.svix.endpoint.rotateSecret(scene.project.id, id);
    const next = await scene.svix.endpoint.getSecret(scene.project.id, id);
    await scene.publish();
    await deliver(server);
    await scene.advanceClock(day);
    await scene.publish();
    await deliver(server);
    const verifies = scene.receiver.received.map(({ headers, body }, index) => {
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

  test('of a rolled back transaction is not sent', async () => {
    await scene.endpoint();
    const failing = transaction(server.deps.db, async tx => {
      await publishEvent(tx, { projectId: scene.project.id, type: 'team.created', data: {}, nowMillis: 1 });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await deliver(server);
    expect(scene.receiver.received).toEqual([]);
  });

  test('without an enabled endpoint for its type is not stored and adds no job', async () => {
    await scene.publish();
    await scene.endpoint({ filterTypes: ['user.created'] });
    await scene.publish();
    const id = await scene.endpoint({ disabled: true });
    await scene.publish();
    await scene.svix.endpoint.delete(scene.project.id, id);
    await scene.publish();
    expect(await scene.jobs()).toBe(0);
    expect((await scene.svix.message.list(scene.project.id)).data).toEqual([]);
  });

  test('contains the server view unchanged, with an image inside a data URL', async () => {
    await scene.endpoint();
    const profile_image_url = 'data:image/png;base64,iVBORw0KGgo=';
    const { json } = await server.call('POST /users', {
      project: scene.project,
      level: 'server',
      body: { profile_image_url, client_metadata: { profile_image_url } },
    });
    expect(json).toMatchObject({ profile_image_url, client_metadata: { profile_image_url } });
    await deliver(server);
    expect(scene.bodies()).toEqual([{ type: 'user.created', data: json }]);
  });

  test('is published with one statement', async () => {
    await scene.endpoint();
    let statements = 0;
    await transaction(server.deps.db, tx => {
      const query: typeof tx.query = statement => {
        statements++;
        return tx.query(statement);
      };
      return publishEvent(
        { ...tx, query },
        { projectId: scene.project.id, type: 'team.created', data: {}, nowMillis: 1 },
      );
    });
    expect(statements).toBe(1);
    expect(await scene.jobs()).toBe(1);
  });

  test('is sent to enabled endpoints that subscribe to its type only', async () => {
    await scene.endpoint({ url: `${scene.receiver.url}/users`, filterTypes: ['user.created', 'user.deleted'] });
    await scene.endpoint({ url: `${scene.receiver.url}/teams`, filterTypes: ['team.created'] });
    await scene.endpoint({ url: `${scene.receiver.url}/disabled`, disabled: true });
    await scene.endpoint({ url: `${scene.receiver.url}/all` });
    await scene.publish('user.created');
    await deliver(server);
    expect(scene.receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/users']);
  });

  test('of one project is never sent to another', async () => {
    const other = await server.make.project();
    const theirs = svixClient(server, await portalTokenOf(server, other));
    await theirs.endpoint.create(other.id, { url: scene.receiver.url });
    await scene.publish();
    await deliver(server);
    expect(scene.receiver.received).toEqual([]);
    expect((await theirs.message.list(other.id)).data).toEqual([]);
  });

  test('control 23: contains no emailed code and no secret', async () => {
    await scene.endpoint();
    const user = await server.make.user({ project: scene.project });
    const [email] = await server.mailbox(user.email);
    await deliver(server);
    const sent = scene.receiver.received.map(({ body }) => body).join('\n');
    expect(sent).toContain(user.email);
    expect(email?.code).toMatch(/^\w{45}$/);
    for (const secret of [email?.code ?? '', user.password, user.refreshToken, user.accessToken]) {
      expect(sent).not.toContain(secret);
    }
  });
});

test('an attempt that is in the log is not repeated when its job runs again', async () => {
  const id = await scene.endpoint();
  scene.answer = { status: 500 };
  await scene.publish();
  await deliver(server);
  const { data } = await scene.svix.messageAttempt.listByEndpoint(scene.project.id, id);
  await server.deps.db.query(sql`
    select graphile_worker.add_job('webhook_delivery', payload => json_build_object(
      'projectId', project_id, 'eventId', event_id, 'endpointId', endpoint_id, 'attemptId', id, 'isManual', false
    )) from webhook_attempts where project_id = ${scene.project.id}
  `);
  await deliver(server);
  expect(scene.receiver.received).toHaveLength(1);
  expect((await scene.svix.messageAttempt.listByEndpoint(scene.project.id, id)).data).toEqual(data);
  expect(data).toMatchObject([{ id: anAttemptId, triggerType: 0 }]);
});

test('an event starts one delivery per endpoint when its job runs twice', async () => {
  await scene.endpoint();
  await scene.publish();
  await server.deps.db.query(sql`
    select graphile_worker.add_job('webhook_event', payload => json_build_object('projectId', project_id, 'id', id))
    from webhook_events where project_id = ${scene.project.id}
  `);
  await deliver(server);
  expect(scene.receiver.received).toHaveLength(1);
});

test('nothing is sent for a deleted project', async () => {
  await scene.endpoint();
  await scene.publish();
  await server.deps.db.query(sql`delete from projects where id = ${scene.project.id}`);
  await deliver(server);
  expect(scene.receiver.received).toEqual([]);
  for (const table of [sql`webhook_endpoints`, sql`webhook_events`, sql`webhook_deliveries`]) {
    expect(await server.deps.db.query(sql`select 1 from ${table} where project_id = ${scene.project.id}`)).toEqual([]);
  }
});
