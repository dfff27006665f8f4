import { internalKeys } from '@tessera/testing/call';
import { proxyTo } from '@tessera/testing/proxied-connection';
import type { TcpProxy } from '@tessera/testing/tcp-proxy';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { DatabaseTimings } from '../../platform/database/connections/timings.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';

const timings: Partial<DatabaseTimings> = {
  requestMs: 2_000,
  connectMs: 2_000,
  sweepMs: 20,
  probeEveryMs: 20,
  heartbeatMs: 50,
  heartbeatAnswerMs: 1_000,
  hearingMs: 500,
};

/** Changes are made through `server`; `faulty` is another process with an unreliable network. */
let server: TestServer;
let faulty: TestServer;
let proxy: TcpProxy;
let key: { id: string; secret_server_key: string };
beforeEach(async () => {
  server = await openTestServer();
  const proxied = await proxyTo(server.connection);
  proxy = proxied.proxy;
  faulty = await openTestServer({ beside: server, connection: proxied.connection, timings });
  const body = {
    description: 'To be revoked',
    expires_at_millis: server.clock.now() + 3_600_000,
    has_publishable_client_key: false,
    has_secret_server_key: true,
    has_super_secret_admin_key: false,
  };
  const created = await server.call('POST /internal/api-keys', { level: 'admin', body });
  key = z.object({ id: z.string(), secret_server_key: z.string() }).parse(created.json);
  await vi.waitFor(async () => expect(await useKey()).toBe(200), { timeout: 20_000 });
});
afterEach(async () => {
  await faulty.close();
  await proxy.close();
  await server.close();
});

const project = () => ({ ...internalKeys, id: 'internal', secretServerKey: key.secret_server_key });
const useKey = async () => (await faulty.call('GET /projects/current', { project: project(), level: 'server' })).status;
const revoke = () =>
  server.call('PATCH /internal/api-keys/{id}', { level: 'admin', params: { id: key.id }, body: { revoked: true } });
const isRefused = () => vi.waitFor(async () => expect(await useKey()).toBe(401), { timeout: 20_000 });

describe('control 93: a revoked key is refused', () => {
  test('after a firewall has silently dropped the notification connection', async () => {
    proxy.forget();
    await revoke();
    await isRefused();
  });

  test('with 503 while the network drops every packet, and as revoked when the network is back', async () => {
    proxy.blackhole();
    await revoke();
    await vi.waitFor(async () => expect(await useKey()).toBe(503), { timeout: 20_000 });
    await proxy.resume();
    await vi.waitFor(async () => expect([401, 503]).toContain(await useKey()), { timeout: 20_000 });
    await isRefused();
  });

  test('after a reset of every connection, although the notification was sent during the gap', async () => {
    await proxy.refuse();
    proxy.reset();
    await revoke();
    await proxy.resume();
    await isRefused();
  });
});

test('a request is answered with 503 and Retry-After while the network drops every packet', async () => {
  proxy.blackhole();
  const { status, headers } = await faulty.call('GET /users', { level: 'server' });
  expect([status, headers.get('retry-after')]).toEqual([503, '2']);
});
