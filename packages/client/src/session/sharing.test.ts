import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../app/internals-symbol.ts';
import { clientApp, userJson } from '../test/apps.ts';
import { createBrowser } from '../test/browser.ts';
import { soon } from '../test/soon.ts';
import { createStubServer, json, knownError, noConnection, text } from '../test/stub-server.ts';
import { accessToken } from '../test/tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tokenRoute = 'POST /api/v1/auth/oauth/token';

/** Tabs of a browser with an older session. */
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

test('control 39: a tab that waited for a failed refresh of another tab refreshes itself', async () => {
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

test('a refresh is an OAuth form without API headers', async () => {
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

test('a refresh that ends after another tab signed out does not restore the session', async () => {
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

test.each([1, -1])('control 42: a clock that is wrong by %i day causes no endless refreshes', async days => {
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

/**
 * Tabs of a browser with a project that replaces refresh tokens: the n-th one is `r<n>`. Asked with one that was just
 * replaced, the server gives the next one again.
 */
function openRotatingTabs(count: number, browser = createBrowser()) {
  const all = openTabs(count, browser);
  const sent: string[] = [];
  const next = new Map<string, string>();
  all.server.routes[tokenRoute] = ({ body }) => {
    const token = new URLSearchParams(body).get('refresh_token') ?? '';
    sent.push(token);
    next.set(token, next.get(token) ?? `r${next.size + 1}`);
    return json({ access_token: accessToken(600_000, 's1'), token_type: 'Bearer', refresh_token: next.get(token) });
  };
  return { ...all, sent };
}

test('controls 25 and 26: a rotated refresh token reaches all tabs, and they refresh once', async () => {
  const { apps, ask, sent, server, browser } = openRotatingTabs(10);
  await soon(Promise.all(apps.map(app => ask(app))));
  // No tab knew the session id yet, so every tab sent a request; the server returns one answer.
  expect(new Set(sent)).toEqual(new Set(['r']));
  expect(browser.openTab(server.fetch).page.cookies.read()).toContain('stack-refresh-p1=r1');

  sent.length = 0;
  vi.setSystemTime(Date.now() + 600_000);
  await soon(Promise.all(apps.map(app => ask(app))));
  expect(sent).toEqual(['r1']);
  const used = server.to('GET /api/v1/anything').map(({ headers }) => headers.get('x-stack-refresh-token'));
  expect(used).toEqual([...Array(10).fill('r1'), ...Array(10).fill('r2')]);
});

test('control 26: a tab that was suspended during two refreshes of another tab never sends the old token', async () => {
  const { apps, ask, sent } = openRotatingTabs(2);
  const [one, two] = apps;
  await soon(Promise.all([ask(one), ask(two)]));
  sent.length = 0;
  for (let round = 0; round < 2; round++) {
    vi.setSystemTime(Date.now() + 600_000);
    await soon(ask(one));
  }
  vi.setSystemTime(Date.now() + 600_000);
  await soon(ask(two));
  expect(sent).toEqual(['r1', 'r2', 'r3']);
});

test('control 26: a tab with a late response takes the newer tokens of another tab', async () => {
  const { apps, ask, server, sent } = openRotatingTabs(2, createBrowser({ withLocks: false }));
  const [one, two] = apps;
  await soon(Promise.all([ask(one), ask(two)]));
  vi.setSystemTime(Date.now() + 600_000);
  const works = server.routes[tokenRoute];
  let answer = () => {};
  server.routes[tokenRoute] = request =>
    new Promise(resolve => {
      sent.push(new URLSearchParams(request.body).get('refresh_token') ?? '');
      const late = { access_token: accessToken(600_000, 's1'), token_type: 'Bearer', refresh_token: 'withdrawn' };
      answer = () => resolve(json(late));
    });
  const asked = ask(one);
  await vi.advanceTimersByTimeAsync(0);
  if (works) server.routes[tokenRoute] = works;
  await soon(ask(two));
  answer();
  await soon(asked);
  sent.length = 0;
  vi.setSystemTime(Date.now() + 600_000);
  await soon(Promise.all([ask(one), ask(two)]));
  expect(new Set(sent)).toEqual(new Set(['r2']));
});

test('the user object of a tab stays the same when another tab replaces the refresh token', async () => {
  const { apps, ask, server } = openRotatingTabs(2);
  const [one, two] = apps;
  if (!one || !two) throw new Error('there is no such tab');
  server.routes['GET /api/v1/users/me'] = () => json(userJson);
  await soon(ask(one));
  await soon(two.getUser());
  const reader = two[internals].user();
  const changed = vi.fn();
  reader.subscribe(changed);
  const before = reader.peek();
  vi.setSystemTime(Date.now() + 600_000);
  await soon(ask(one));
  await vi.advanceTimersByTimeAsync(1000);
  expect(reader.peek()).toBe(before);
  expect(changed).not.toHaveBeenCalled();
});

test('control 41: returning to a page after 60 seconds refetches the user, and an earlier return does not', async () => {
  const browser = createBrowser();
  const { server } = openTabs(0, browser);
  const tab = browser.openTab(server.fetch);
  tab.page.cookies.write('stack-refresh-p1=r; Path=/');
  server.routes['GET /api/v1/users/me'] = () => json(userJson);
  const app = clientApp(tab.platform, { tokenStore: 'cookie' });
  const reader = app[internals].user();
  reader.subscribe(() => {});
  await soon(reader.promise());
  tab.comeBack();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.to('GET /api/v1/users/me')).toHaveLength(1);

  server.routes['GET /api/v1/users/me'] = () => knownError('CANNOT_GET_OWN_USER_WITHOUT_USER', 400);
  vi.setSystemTime(Date.now() + 8 * 60 * 60 * 1000);
  tab.comeBack();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reader.peek()).toEqual({ status: 'ok', data: null });
});
