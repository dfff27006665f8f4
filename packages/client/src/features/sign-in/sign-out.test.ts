import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { machine, serverApp, serverUserJson } from '../../test/apps.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json, knownError, noConnection } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';
import { createWorld } from '../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock('../app-flows.ts');
});

const signOutRoute = 'DELETE /api/v1/auth/sessions/current';

async function signedIn(options = {}) {
  const world = createWorld();
  const tab = world.openTab(options);
  await soon(tab.app.signInWithCredential(world.ada));
  return { ...world, ...tab };
}

test('signOut ends the session on the server and in the browser, then redirects', async () => {
  const { app, sessions, browser, visited } = await signedIn({
    redirectMethod: 'window',
    urls: { afterSignOut: '/bye' },
  });
  await soon(app.signOut());
  expect(sessions.size).toBe(0);
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
  expect(visited).toEqual(['assign /bye']);
  expect(await soon(app.getUser())).toBeNull();
});

test('signOut redirects to the given URL without a check and without a return address', async () => {
  const { app, visited } = await signedIn({ redirectMethod: 'window' });
  await soon(app.signOut({ redirectUrl: new URL('https://other.example/') }));
  expect(visited).toEqual(['replace https://other.example/']);
});

test('user.signOut ends the session of the user object', async () => {
  const { app, sessions } = await signedIn();
  const user = await soon(app.getUser({ or: 'throw' }));
  await soon(user.signOut());
  expect(sessions.size).toBe(0);
});

test('a session that the server has ended is removed by signOut', async () => {
  const { app, server, browser } = await signedIn();
  server.routes[signOutRoute] = () => knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
  await soon(app.signOut());
  expect(browser.cookies.names()).not.toContain('stack-refresh-p1');
});

test('signOut without a signed-in user does nothing', async () => {
  const { openTab, server } = createWorld();
  const { app, visited } = openTab({ redirectMethod: 'window' });
  await soon(app.signOut());
  expect(server.seen).toEqual([]);
  expect(visited).toEqual([]);
});

test('signOut keeps an anonymous user signed in', async () => {
  const world = createWorld({ is_anonymous: true });
  const { app, visited } = world.openTab({ redirectMethod: 'window' });
  await soon(app.signInWithCredential(world.ada));
  await soon(app.signOut());
  expect(world.server.to(signOutRoute)).toEqual([]);
  expect(world.sessions.size).toBe(1);
  expect(visited).toEqual([]);
});

test('signOut sends no user request when the user is cached', async () => {
  const { app, server } = await signedIn();
  await soon(app.getUser());
  server.seen.length = 0;
  await soon(app.signOut());
  expect(server.seen.map(({ method }) => method)).toEqual(['DELETE']);
});

test('signOut of a session that ended meanwhile still redirects', async () => {
  const { app, sessions, browser, visited } = await signedIn({ redirectMethod: 'window' });
  sessions.clear();
  await soon(app.signOut());
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
  expect(visited).toEqual(['assign /']);
});

test('a sign-out that does not reach the server is an error, and the session is deleted in the browser', async () => {
  const { app, server, browser, visited } = await signedIn({ redirectMethod: 'window' });
  for (const route of [signOutRoute, '*']) server.routes[route] = noConnection;
  await expect(soon(app.signOut())).rejects.toMatchObject({ reason: 'unreachable' });
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
  expect(visited).toEqual([]);
});

test('a sign-out without a network deletes the session also where the code of the sign-in pages was never loaded', async () => {
  const { openTab, server, browser } = await signedIn();
  const { app } = openTab();
  await soon(app.getUser({ or: 'throw' }));
  for (const route of [signOutRoute, '*']) server.routes[route] = noConnection;
  vi.doMock('../app-flows.ts', () => Promise.reject(new TypeError('the chunk cannot be loaded')));
  const left = app.signOut();
  // Modules are loaded in real time, and `soon` only advances the set clock.
  await vi.dynamicImportSettled();
  await expect(soon(left)).rejects.toMatchObject({ reason: 'unreachable' });
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
});

test('a second user.signOut after one that did not reach the server redirects', async () => {
  const { app, server, visited } = await signedIn({ redirectMethod: 'window' });
  const user = await soon(app.getUser({ or: 'throw' }));
  for (const route of [signOutRoute, '*']) server.routes[route] = noConnection;
  await expect(soon(user.signOut())).rejects.toMatchObject({ reason: 'unreachable' });
  await soon(user.signOut());
  expect(visited).toEqual(['assign /']);
});

test('a running refresh does not restore a session after sign-out', async () => {
  const { app, server, browser } = await signedIn();
  const user = await soon(app.getUser({ or: 'throw' }));
  let answer: (response: Response) => void = () => {};
  server.routes['POST /api/v1/auth/oauth/token'] = () => new Promise(resolve => (answer = resolve));
  const refreshed = user._internalSession.fetchNewTokens();
  await vi.advanceTimersByTimeAsync(0);
  await soon(app.signOut());
  answer(json({ access_token: 'late', token_type: 'Bearer' }));
  expect(await soon(refreshed)).toBeNull();
  expect(browser.cookies.names()).toEqual(['stack-is-https']);
});

test('a user request that runs during sign-out is not stored', async () => {
  const { app, server } = await signedIn();
  let answerUser: (response: Response) => void = () => {};
  let answerSignOut: (response: Response) => void = () => {};
  server.routes['GET /api/v1/users/me'] = () => new Promise(resolve => (answerUser = resolve));
  server.routes[signOutRoute] = () => new Promise(resolve => (answerSignOut = resolve));
  const reader = app[internals].user();
  reader.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  const signedOut = app.signOut();
  await vi.advanceTimersByTimeAsync(0);
  answerUser(knownError('CANNOT_GET_OWN_USER_WITHOUT_USER', 400));
  await vi.advanceTimersByTimeAsync(1000);
  expect(reader.peek()).toBeUndefined();
  answerSignOut(json({ success: true }));
  await soon(signedOut);
  expect(reader.peek()).toEqual({ status: 'ok', data: null });
});

test('on a server, the sign-out of one user does not delay the requests of another user', async () => {
  const { fetch } = createStubServer({
    'GET /api/v1/users/me': ({ headers }) =>
      json({ ...serverUserJson, display_name: headers.get('x-stack-refresh-token') }),
    [signOutRoute]: () => new Promise(() => {}),
  });
  const app = serverApp(machine(fetch), { tokenStore: null });
  const getUser = (refreshToken: string) =>
    app.getUser({ or: 'throw', tokenStore: { accessToken: accessToken(), refreshToken } });
  const ada = await soon(getUser('ada'));
  void ada.signOut();
  expect(await soon(getUser('bob'))).toMatchObject({ displayName: 'bob' });
});
