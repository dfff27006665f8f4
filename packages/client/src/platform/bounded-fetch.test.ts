import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AdminApp } from '../app/admin-app.ts';
import { ServerApp } from '../app/server-app.ts';
import { settings } from '../test/apps.ts';
import { soon } from '../test/soon.ts';
import { createStubServer, json, noResponse } from '../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const userId = '3241a285-8329-4d69-8f3d-316e08cf140c';
const serverSettings = { ...settings, secretServerKey: 'ssk' };
const adminSettings = { ...serverSettings, superSecretAdminKey: 'sak' };

/** A server that sends no response to one route. */
function silentOn(route: string) {
  const server = createStubServer({ [route]: noResponse, '*': () => json({}) });
  vi.stubGlobal('fetch', server.fetch);
  return server;
}

describe('a server that accepts connections and sends no response', () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ['a server app', `GET /api/v1/users/${userId}`, () => new ServerApp(serverSettings).getUser(userId)],
    ['an admin app', `GET /api/v1/users/${userId}`, () => new AdminApp(adminSettings).getUser(userId)],
    ['a write', 'POST /api/v1/users', () => new ServerApp(serverSettings).createUser({ displayName: 'Ada' })],
  ])('is unreachable for %s, and is asked once', async (_, route, ask) => {
    const server = silentOn(route);
    await expect(soon(ask())).rejects.toMatchObject({ name: 'RequestError', reason: 'unreachable' });
    expect(server.to(route)).toHaveLength(1);
  });
});

test('a response leaves no timer that would keep the process alive', async () => {
  const { to } = silentOn('');
  await soon(new ServerApp(serverSettings).getUser(userId));
  expect(to(`GET /api/v1/users/${userId}`)).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
