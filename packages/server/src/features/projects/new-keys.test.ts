import { callApp, internalKeys } from '@tessera/testing/call';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../compose.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { createProjects } from './projects.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

/** Another process that has the projects in memory and has not received a notification yet. */
function openLateProcess() {
  const databaseNotifications = { ...server.deps.databaseNotifications, on: () => undefined, onGap: () => undefined };
  const projects = createProjects({ ...server.deps, databaseNotifications });
  const app = createApp({ ...server.deps, projects });
  return (secretServerKey: string) =>
    callApp(app, 'GET /projects/current', {
      level: 'server',
      project: { ...internalKeys, id: 'internal', secretServerKey },
    });
}

async function createKey() {
  const body = {
    description: 'New',
    expires_at_millis: server.clock.now() + 3_600_000,
    has_publishable_client_key: false,
    has_secret_server_key: true,
    has_super_secret_admin_key: false,
  };
  const created = await server.call('POST /internal/api-keys', { level: 'admin', body });
  return z.object({ secret_server_key: z.string() }).parse(created.json).secret_server_key;
}

test('a new key is accepted by a process that has not received its notification', async () => {
  const useKey = openLateProcess();
  expect((await useKey(await createKey())).status).toBe(200);
  server.clock.advance(1_000);
  expect((await useKey(await createKey())).status).toBe(200);
});

test('a process looks for an unknown key in the database at most once a second', async () => {
  const useKey = openLateProcess();
  expect((await useKey('ssk_unknown')).json).toMatchObject({ code: 'INVALID_SECRET_SERVER_KEY' });
  const key = await createKey();
  expect((await useKey(key)).status).toBe(401);
  server.clock.advance(1_000);
  expect((await useKey(key)).status).toBe(200);
});
