import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../test/soon.ts';
import { brokenBody, json } from '../test/stub-server.ts';
import { createWorld } from '../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const meRoute = 'GET /api/v1/users/me';
const signInRoute = 'POST /api/v1/auth/password/sign-in';
const tokenRoute = 'POST /api/v1/auth/oauth/token';

/** A tab whose server breaks the connection inside the body of the next `count` responses of a route. */
async function signedInTab() {
  const world = createWorld();
  const tab = world.openTab();
  await soon(tab.app.signInWithCredential(world.ada));
  function breakResponses(route: string, count: number, headers?: Record<string, string>) {
    const works = world.server.routes[route];
    let broken = 0;
    world.server.routes[route] = request => {
      const response = works?.(request) ?? json({});
      return broken++ < count ? brokenBody(headers) : response;
    };
    world.server.seen.length = 0;
  }
  return { ...world, ...tab, breakResponses };
}

test('a GET whose connection breaks inside the body is repeated', async () => {
  const { app, server, breakResponses } = await signedInTab();
  breakResponses(meRoute, 1);
  expect(await soon(app.getUser())).toMatchObject({ displayName: 'Ada' });
  expect(server.to(meRoute)).toHaveLength(2);
});

test('a GET whose connection always breaks inside the body fails with a RequestError', async () => {
  const { app, server, breakResponses } = await signedInTab();
  breakResponses(meRoute, Number.POSITIVE_INFINITY);
  await expect(soon(app.getUser())).rejects.toMatchObject({ name: 'RequestError', reason: 'unreachable' });
  expect(server.to(meRoute).length).toBeGreaterThan(1);
});

test('a sign-in whose connection breaks inside the body fails with a RequestError and is not repeated', async () => {
  const { app, ada, server, breakResponses } = await signedInTab();
  breakResponses(signInRoute, 1);
  await expect(soon(app.signInWithCredential(ada))).rejects.toMatchObject({ reason: 'unreachable' });
  expect(server.to(signInRoute)).toHaveLength(1);
});

test.each([
  ['a known error', { 'x-stack-known-error': 'EMAIL_PASSWORD_MISMATCH', 'x-stack-actual-status': '400' }],
  ['a refusal', { 'x-stack-actual-status': '403' }],
])('the connection of %s that breaks inside the body is a RequestError `unreachable`', async (_, headers) => {
  const { app, ada, breakResponses } = await signedInTab();
  breakResponses(signInRoute, 1, headers);
  await expect(soon(app.signInWithCredential(ada))).rejects.toMatchObject({ reason: 'unreachable' });
});

test('a refresh whose connection breaks inside the body is repeated and keeps the session', async () => {
  const { app, page, server, breakResponses } = await signedInTab();
  await vi.advanceTimersByTimeAsync(600_000);
  breakResponses(tokenRoute, 1);
  expect(await soon(app.getUser())).toMatchObject({ displayName: 'Ada' });
  expect(server.to(tokenRoute)).toHaveLength(2);
  expect(page.cookies.read()).toContain('stack-refresh-p1=refresh-1');
});
