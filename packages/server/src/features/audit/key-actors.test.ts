import type { ProjectAccess } from '@tessera/testing/call';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { portalTokenOf, svixClient } from '../webhooks/scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
/** The same project with the keys of a second set. */
let billing: ProjectAccess;
let billingSetId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project();
  const body = {
    description: 'Billing service',
    expires_at_millis: 4_000_000_000_000,
    has_publishable_client_key: true,
    has_secret_server_key: true,
    has_super_secret_admin_key: true,
  };
  const { json } = await server.call('POST /internal/api-keys', { project, level: 'admin', body });
  const set = keySet.parse(json);
  billingSetId = set.id;
  billing = {
    id: project.id,
    publishableClientKey: set.publishable_client_key,
    secretServerKey: set.secret_server_key,
    superSecretAdminKey: set.super_secret_admin_key,
  };
});

const keySet = z.object({
  id: z.string(),
  publishable_client_key: z.string(),
  secret_server_key: z.string(),
  super_secret_admin_key: z.string(),
});
const events = z.array(
  z.object({ action: z.string(), actor: z.object({ type: z.string(), id: z.string().nullable() }) }),
);

async function eventsOf(query: Record<string, string>) {
  const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  return events.parse(z.object({ items: z.unknown() }).parse(json).items);
}

async function createUser(by: ProjectAccess): Promise<string> {
  server.clock.advance(1);
  const { json } = await server.call('POST /users', { project: by, level: 'server', body: {} });
  return z.object({ id: z.string() }).parse(json).id;
}

test('control 97: an event of a server or admin key has the id of its key set, in the list and in the export', async () => {
  const byServer = { type: 'server_key', id: billingSetId };
  const byAdmin = { type: 'admin_key', id: billingSetId };
  const params = { user_id: await createUser(billing) };
  await createUser(project);
  server.clock.advance(1);
  const body = { display_name: 'Ada' };
  await server.call('PATCH /users/{user_id}', { project: billing, level: 'admin', params, body });
  const [created, ...others] = await eventsOf({ action: 'user.created' });
  expect(created?.actor).toEqual({ type: 'server_key', id: anId });
  expect(created?.actor.id).not.toBe(billingSetId);
  expect(others).toEqual([{ action: 'user.created', actor: byServer }]);
  const query = { actor_id: billingSetId };
  const found = (await eventsOf(query)).filter(({ action }) => action !== 'key_set.used');
  expect(found).toEqual([
    { action: 'admin.request', actor: byAdmin },
    { action: 'user.created', actor: byServer },
  ]);
  const exported = await server.call('GET /internal/extensions/audit-log/export', { project, level: 'admin', query });
  const lines = events.parse(
    exported.text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  );
  expect(lines).toEqual(await eventsOf(query));
});

test('control 97: a webhook change with the token of an admin key has the id of its key set', async () => {
  const svix = svixClient(server, await portalTokenOf(server, billing));
  await svix.endpoint.create(project.id, { url: 'https://receiver.example' });
  await server.deps.audit.flush();
  expect(await eventsOf({ actor_id: billingSetId, action: 'admin.request' })).toContainEqual({
    action: 'admin.request',
    actor: { type: 'admin_key', id: billingSetId },
  });
});

test('a request with a publishable key has no actor id: the key is in every browser', async () => {
  const body = { email: 'unknown@example.com', password: 'a wrong password' };
  await server.call('POST /auth/password/sign-in', { project: billing, body });
  expect(await eventsOf({ action: 'sign_in.failed' })).toEqual([
    { action: 'sign_in.failed', actor: { type: 'client', id: null } },
  ]);
});
