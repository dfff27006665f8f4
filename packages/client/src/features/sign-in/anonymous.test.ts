import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { clientApp, machine, userJson } from '../../test/apps.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json, knownError } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';
import { createWorld } from '../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const route = 'POST /api/v1/auth/anonymous/sign-up';

function worldWithAnonymous() {
  const world = createWorld({ is_anonymous: true, primary_email: null });
  world.server.routes[route] = () => {
    world.sessions.add('anon');
    return json({ access_token: accessToken(), refresh_token: 'anon', user_id: userJson.id });
  };
  return world;
}

test('concurrent calls without a session create one anonymous account, which stays signed in', async () => {
  const { openTab, server } = worldWithAnonymous();
  const { app } = openTab();
  const users = await soon(Promise.all([app.getUser({ or: 'anonymous' }), app.getUser({ or: 'anonymous' })]));
  expect(users).toMatchObject([{ isAnonymous: true }, { isAnonymous: true }]);
  expect(server.to(route)).toHaveLength(1);
  expect(await soon(app.getUser({ or: 'anonymous' }))).toMatchObject({ isAnonymous: true });
  expect(await soon(app.getUser({ or: 'anonymous-if-exists' }))).toMatchObject({ isAnonymous: true });
  expect(await soon(app.getUser())).toBeNull();
  expect(server.to(route)).toHaveLength(1);
});

test('a signed-in user is returned and no anonymous account is created', async () => {
  const world = createWorld();
  const { app } = world.openTab();
  await soon(app.signInWithCredential(world.ada));
  expect(await soon(app.getUser({ or: 'anonymous' }))).toMatchObject({ isAnonymous: false });
  expect(world.server.to(route)).toEqual([]);
});

test("the tokens of an anonymous account are stored in the app's own store", async () => {
  const tab = worldWithAnonymous().openTab();
  const tokenStore = { accessToken: null, refreshToken: null };
  expect(await soon(tab.app.getUser({ or: 'anonymous', tokenStore }))).toMatchObject({ isAnonymous: true });
  expect(tab.page.cookies.read()).toContain('stack-refresh-p1=anon');
});

test('a refused anonymous sign-up throws, and the next attempt succeeds', async () => {
  const { openTab, server } = worldWithAnonymous();
  const { app } = openTab();
  const works = server.routes[route];
  server.routes[route] = () => knownError('ANONYMOUS_ACCOUNTS_NOT_ENABLED', 400);
  await expect(soon(app.getUser({ or: 'anonymous' }))).rejects.toMatchObject({
    errorCode: 'ANONYMOUS_ACCOUNTS_NOT_ENABLED',
  });
  if (works) server.routes[route] = works;
  await soon(app[internals].signUpAnonymously());
  expect(await soon(app.getUser({ or: 'anonymous-if-exists' }))).toMatchObject({ isAnonymous: true });
});

/** A server where each sign-up creates another account, and an app that answers many visitors. */
function serverOfVisitors(options: Parameters<typeof clientApp>[1]) {
  let count = 0;
  const server = createStubServer({
    [route]: () => json({ access_token: accessToken(), refresh_token: `anon-${++count}`, user_id: userJson.id }),
    'GET /api/v1/users/me': ({ headers }) =>
      json({ ...userJson, is_anonymous: true, display_name: headers.get('x-stack-refresh-token') }),
  });
  return { server, app: clientApp(machine(server.fetch), options) };
}

test('concurrent visitors of one server get an anonymous account each', async () => {
  const { app } = serverOfVisitors({ tokenStore: null });
  const getUser = (tokenStore: { headers: Headers }) => app.getUser({ or: 'anonymous', tokenStore });
  const [first, second] = [{ headers: new Headers() }, { headers: new Headers() }];
  const users = await soon(Promise.all([first, first, second].map(getUser)));
  expect(users.map(user => user?.displayName)).toEqual(['anon-1', 'anon-1', 'anon-2']);
});

test('an app without a token store keeps the anonymous account in the store of the call', async () => {
  const { app } = serverOfVisitors({ tokenStore: null });
  const set = vi.fn();
  const tokenStore = { cookies: { getAll: () => [], set } };
  const user = await soon(app.getUser({ or: 'anonymous', tokenStore }));
  expect(await user?.getAuthJson()).toMatchObject({ refreshToken: 'anon-1' });
  expect(set).toHaveBeenCalledWith(expect.stringContaining('stack-refresh-p1'), 'anon-1', expect.anything());
});

test('an app without any token store refuses the mode anonymous before a sign-up', async () => {
  const { app, server } = serverOfVisitors({ tokenStore: null });
  await expect(app.getUser({ or: 'anonymous' })).rejects.toThrow('token store');
  expect(server.seen).toEqual([]);
});

test('a server component of Next.js, which cannot set cookies, gets the anonymous user', async () => {
  const set = () => {
    throw new Error('Cookies can only be modified in a Server Action or Route Handler.');
  };
  const nextjs = { cookies: async () => ({ getAll: () => [], set }) };
  const { app } = serverOfVisitors({ tokenStore: 'nextjs-cookie', nextjs });
  expect(await soon(app.getUser({ or: 'anonymous' }))).toMatchObject({ displayName: 'anon-1' });
});
