import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../internals-symbol.ts';
import { clientApp } from '../test/apps.ts';
import { createBrowser } from '../test/browser.ts';
import { soon } from '../test/soon.ts';
import { createStubServer, json, knownError, noConnection, text } from '../test/stub-server.ts';
import { accessToken } from '../test/tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tokenRoute = 'POST /api/v1/auth/oauth/token';

/** Tabs of a browser in which somebody has signed in some time ago. */
function openTabs(count: number, browser = createBrowser()) {
  const server = createStubServer({
    [tokenRoute]: () => json({ access_token: accessToken(), token_type: 'Bearer', expires_in: 600, scope: 'legacy' }),
    '*': () => json({}),
  });
  const tabs = Array.from({ length: count }, () => browser.openTab(server.fetch));
  tabs[0]?.page.cookies.write('stack-refresh-p1=r; Path=/');
  const apps = tabs.map(({ platform }) => clientApp(platform, { tokenStore: 'cookie' }));
  const ask = (app = apps[0]) => {
    if (!app) throw new Error('there is no such tab');
    return app[internals].sendRequest('/anything');
  };
  return { server, apps, ask, browser };
}

test('control 39: ten tabs refresh once', async () => {
  const { server, apps, ask } = openTabs(10);
  await soon(Promise.all(apps.map(app => ask(app))));
  expect(server.to(tokenRoute)).toHaveLength(1);
  const used = server.to('GET /api/v1/anything').map(({ headers }) => headers.get('x-stack-access-token'));
  expect(used).toHaveLength(10);
  expect(new Set(used).size).toBe(1);
});

test('control 39: a tab that waited while another one failed tries by itself', async () => {
  const { server, apps, ask } = openTabs(2);
  let failures = 1;
  const works = server.routes[tokenRoute];
  server.routes[tokenRoute] = request => {
    if (failures-- > 0) return noConnection();
    return works?.(request) ?? noConnection();
  };
  await soon(Promise.all(apps.map(app => ask(app))));
  expect(server.to(tokenRoute)).toHaveLength(2);
});

test('a refresh is an OAuth form without our headers', async () => {
  const { server, ask } = openTabs(1);
  await soon(ask());
  const [request] = server.to(tokenRoute);
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'r',
    client_id: 'p1',
    client_secret: 'pck',
  });
  expect([...(request?.headers ?? [])]).toEqual([]);
});

test('control 40: a failed refresh by network never signs out, and the next request recovers', async () => {
  const { server, ask, browser } = openTabs(1);
  const works = server.routes[tokenRoute];
  server.routes[tokenRoute] = noConnection;
  server.routes['GET /api/v1/'] = noConnection;
  server.routes['GET /api/v1'] = noConnection;
  server.routes['GET /health'] = noConnection;
  await expect(soon(ask())).rejects.toMatchObject({ reason: 'unreachable' });
  expect(server.to(tokenRoute)).toHaveLength(5);
  expect(browser.cookies.names()).toContain('stack-refresh-p1');

  server.routes[tokenRoute] = works ?? noConnection;
  expect((await soon(ask())).ok).toBe(true);
});

test.each([
  ['a 500', () => text(500, 'broken')],
  ['a 503', () => text(503, 'database away')],
  ['a wrong key', () => knownError('INVALID_OAUTH_CLIENT_ID_OR_SECRET', 400, { client_id: null })],
  ['too many requests', () => text(429, '', { 'retry-after': '900' })],
])('control 40: %s at the refresh does not sign out', async (_, answer) => {
  const { server, ask, browser } = openTabs(1);
  server.routes[tokenRoute] = answer;
  await expect(soon(ask())).rejects.toThrow();
  expect(browser.cookies.names()).toContain('stack-refresh-p1');
});

test('control 40: only an explicit refusal of the refresh token signs out', async () => {
  const { server, ask, browser } = openTabs(1);
  server.routes[tokenRoute] = () => knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
  await soon(ask());
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
  expect(server.to('GET /api/v1/anything')[0]?.headers.has('x-stack-access-token')).toBe(false);
});

test('a refresh that ends after another tab has signed out brings nothing back', async () => {
  const { server, apps, ask, browser } = openTabs(2);
  const [one, two] = apps;
  await soon(ask(one));
  let answer: (response: Response) => void = () => {};
  server.routes[tokenRoute] = () => new Promise(resolve => (answer = resolve));
  vi.setSystemTime(Date.now() + 600_000);
  const asked = ask(two);
  await vi.advanceTimersByTimeAsync(0);
  browser.openTab(server.fetch).page.cookies.write('stack-refresh-p1=; Path=/; Max-Age=0');
  answer(json({ access_token: accessToken(), token_type: 'Bearer' }));
  await soon(asked);
  expect(browser.cookies.names()).not.toContain('stack-refresh-p1');
});

test.each([1, -1])('control 42: a clock that is wrong by %i day makes no endless refreshes', async days => {
  const { server, ask } = openTabs(1);
  const serverNow = Date.now();
  const date = () => new Date(serverNow).toUTCString();
  const token = accessToken();
  server.routes[tokenRoute] = () => json({ access_token: token, token_type: 'Bearer' }, { headers: { date: date() } });
  server.routes['*'] = () => json({}, { headers: { date: date() } });
  vi.setSystemTime(serverNow + days * 24 * 60 * 60 * 1000);
  for (let request = 0; request < 3; request++) {
    const asked = ask();
    await vi.advanceTimersByTimeAsync(0);
    expect((await asked).ok).toBe(true);
  }
  expect(server.to(tokenRoute)).toHaveLength(1);
});
