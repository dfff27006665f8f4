import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { internals } from '../../../app/internals-symbol.ts';
import { clientApp, machine, serverApp, serverUserJson, userJson } from '../../../test/apps.ts';
import { soon } from '../../../test/soon.ts';
import { createStubServer, json, noConnection } from '../../../test/stub-server.ts';
import { accessToken } from '../../../test/tokens.ts';
import { createWorld } from '../../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const meRoute = 'GET /api/v1/users/me';

async function signedIn(world: ReturnType<typeof createWorld>, options = {}) {
  const tab = world.openTab(options);
  await soon(tab.app.signInWithCredential(world.ada));
  return tab;
}

describe('modes', () => {
  test('without a session the user is null, and no request is sent', async () => {
    const { openTab, server } = createWorld();
    expect(await soon(openTab().app.getUser())).toBeNull();
    expect(server.seen).toEqual([]);
  });

  test('the mode throw fails with NOT_SIGNED_IN and names the method', async () => {
    const { app } = createWorld().openTab();
    const failure = await soon(app.getUser({ or: 'throw' })).catch(error => error);
    expect(failure).toMatchObject({ name: 'SdkError', code: 'NOT_SIGNED_IN' });
    expect(failure.message).toMatch(/^User is not signed in.*getUser.*throw/);
  });

  test('the mode redirect goes to the sign-in page, and returns null when the page stays', async () => {
    const { app, visited } = createWorld().openTab({ redirectMethod: 'window' }, 'https://shop.example/cart');
    expect(await soon(app.getUser({ or: 'redirect' }))).toBeNull();
    expect(visited).toEqual(['replace /handler/sign-in?after_auth_return_to=%2Fcart']);
  });

  test('an anonymous user counts as null unless the mode includes anonymous users', async () => {
    const { app } = await signedIn(createWorld({ is_anonymous: true }));
    expect(await soon(app.getUser())).toBeNull();
    await expect(soon(app.getUser({ or: 'throw' }))).rejects.toThrow('not signed in');
    expect(await soon(app.getUser({ or: 'anonymous-if-exists' }))).toMatchObject({ isAnonymous: true });
  });

  test('a user that the server has deleted is null', async () => {
    const world = createWorld();
    const { app } = await signedIn(world);
    world.sessions.clear();
    expect(await soon(app.getUser())).toBeNull();
  });
});

describe('token stores', () => {
  const token = () => accessToken();
  const server = () =>
    createStubServer({
      [meRoute]: ({ headers }) => json({ ...userJson, display_name: headers.get('x-stack-refresh-token') }),
    });

  test('control 43: requests are read from x-stack-auth, else from cookies, and never share a session', async () => {
    const { fetch, seen } = server();
    const app = clientApp(machine(fetch), { tokenStore: null });
    const access = token();
    const cookie = `stack-refresh-p1=cookie; stack-access=${encodeURIComponent(JSON.stringify(['cookie', access]))}`;
    const auth = JSON.stringify({ accessToken: token(), refreshToken: 'header' });
    const byHeader = { headers: new Headers({ 'x-stack-auth': auth, cookie }) };
    const byCookie = { headers: new Headers({ cookie }) };
    const users = await soon(Promise.all([byHeader, byCookie].map(tokenStore => app.getUser({ tokenStore }))));
    expect(users.map(user => user?.displayName)).toEqual(['header', 'cookie']);
    expect(seen[1]?.headers.get('x-stack-access-token')).toBe(access);
  });

  test.each(['no json', '[]', 'null', '"text"', '{"accessToken":1}'])('the header %j is refused', async header => {
    const app = clientApp(machine(noConnection), { tokenStore: null });
    const tokenStore = { headers: new Headers({ 'x-stack-auth': header }) };
    await expect(app.getUser({ tokenStore })).rejects.toThrow('x-stack-auth');
  });

  test('a request without tokens has no user', async () => {
    const app = clientApp(machine(noConnection), { tokenStore: new Request('https://shop.example') });
    expect(await app.getUser()).toBeNull();
  });

  test('explicit tokens override the store of the app', async () => {
    const app = clientApp(machine(server().fetch));
    const user = await soon(app.getUser({ tokenStore: { accessToken: token(), refreshToken: 'given' } }));
    expect(user?.displayName).toBe('given');
    expect(await app.getUser()).toBeNull();
  });

  test('a null store without another one, cookies on a server and an invalid store throw', async () => {
    const withStore = (tokenStore: unknown) => clientApp(machine(noConnection), { tokenStore } as object);
    await expect(withStore(null).getUser()).rejects.toThrow('no token store. Set one there or in the call.');
    await expect(withStore('cookie').getUser()).rejects.toThrow('server');
    await expect(withStore('nonsense').getUser()).rejects.toThrow(TypeError);
    await expect(withStore({ headers: null }).getUser()).rejects.toThrow(TypeError);
  });
});

describe('the user object', () => {
  test('is a frozen snapshot', async () => {
    const { app } = await signedIn(createWorld());
    const user = await soon(app.getUser({ or: 'throw' }));
    expect(Object.isFrozen(user)).toBe(true);
    await soon(user.setDisplayName('Bob'));
    expect(user.displayName).toBe('Ada');
    expect(user.toClientJson()).toEqual(userJson);
    expect((await soon(app.getUser()))?.displayName).toBe('Bob');
  });

  test('updates the watched user after a change, without another request', async () => {
    const world = createWorld();
    const { app } = await signedIn(world);
    const user = await soon(app.getUser({ or: 'throw' }));
    const reader = app[internals].user();
    const changed = vi.fn();
    reader.subscribe(changed);
    const before = world.server.to(meRoute).length;
    await soon(user.update({ clientMetadata: { theme: 'light' } }));
    expect(changed).toHaveBeenCalled();
    expect(reader.peek()).toMatchObject({ data: { clientMetadata: { theme: 'light' } } });
    expect(world.server.to(meRoute)).toHaveLength(before);
  });

  test('returns its tokens as an object or as a header', async () => {
    const { app } = await signedIn(createWorld());
    const user = await soon(app.getUser({ or: 'throw' }));
    const tokens = await user.currentSession.getTokens();
    expect(tokens).toEqual({ accessToken: expect.any(String), refreshToken: 'refresh-1' });
    expect(await user.getAuthJson()).toEqual(tokens);
    expect(JSON.parse((await user.getAuthHeaders())['x-stack-auth'])).toEqual(tokens);
  });

  test('ends the session when the account is deleted', async () => {
    const { app, page } = await signedIn(createWorld());
    const user = await soon(app.getUser({ or: 'throw' }));
    await soon(user.delete());
    expect(page.cookies.read()).not.toContain('stack-refresh');
    expect(await soon(app.getUser())).toBeNull();
    expect(await user.currentSession.getTokens()).toEqual({ accessToken: null, refreshToken: null });
  });
});

describe('readers', () => {
  test('are the same for equal options, and know without a request that no user is signed in', () => {
    const { app } = createWorld().openTab();
    expect(app[internals].user()).toBe(app[internals].user({}));
    expect(app[internals].user({ includeAnonymous: true })).not.toBe(app[internals].user());
    const tokenStore = { accessToken: accessToken(), refreshToken: 'r' };
    expect(app[internals].user({ tokenStore })).toBe(app[internals].user({ tokenStore }));
    expect(app[internals].user().peek()).toEqual({ status: 'ok', data: null });
    expect(app[internals].user().peek()).toBe(app[internals].user().peek());
  });

  test('can be created during server rendering, and throw an error with instructions when read there', async () => {
    const app = clientApp(machine(noConnection), { tokenStore: 'cookie' });
    const reader = app[internals].user();
    expect(() => reader.peek()).toThrow("The token store 'cookie' requires a browser.");
  });

  test('are the same for tokens that were passed to the app', () => {
    const tokenStore = { accessToken: accessToken(), refreshToken: 'r' };
    const app = clientApp(machine(noConnection), { tokenStore });
    expect(app[internals].user()).toBe(app[internals].user());
  });

  test('control 41: a sign-in and a sign-out in another tab are noticed at once', async () => {
    const world = createWorld();
    const { app } = world.openTab();
    const reader = app[internals].user();
    const changed = vi.fn();
    reader.subscribe(changed);
    const other = await signedIn(world);
    await soon(reader.promise());
    expect(reader.peek()).toMatchObject({ data: { displayName: 'Ada' } });
    changed.mockClear();

    await soon(other.app.signOut());
    expect(changed).toHaveBeenCalled();
    expect(reader.peek()).toEqual({ status: 'ok', data: null });
  });

  test('a user from server rendering is available without a request', async () => {
    const { app, page } = createWorld().openTab();
    page.cookies.write('stack-refresh-p1=r; Path=/');
    void app[internals].setCurrentUser(Promise.resolve(userJson));
    await soon(Promise.resolve());
    expect(app[internals].user().peek()).toMatchObject({ data: { displayName: 'Ada' } });
  });
});

describe('a user from server rendering', () => {
  // The access tokens of the world name this user.
  const ada = { ...userJson, id: 'user' };
  const rendered = { ...ada, display_name: 'Ada, rendered' };

  async function give(app: ReturnType<typeof clientApp>, user: typeof userJson | null) {
    await soon(app[internals].setCurrentUser(Promise.resolve(user)));
    return app[internals].user().peek();
  }

  test('is stored when the access token of the page names it', async () => {
    const world = createWorld(ada);
    const { app } = await signedIn(world);
    expect(await give(app, rendered)).toMatchObject({ data: { displayName: 'Ada, rendered' } });
    expect(world.server.to(meRoute)).toEqual([]);
  });

  test.each([
    ['another user', { ...rendered, id: 'other' }],
    ['no user', null],
  ])('is fetched when the response has %s than the access token of the page', async (_, user) => {
    const { app } = await signedIn(createWorld(ada));
    expect(await give(app, user)).toMatchObject({ data: { id: 'user', displayName: 'Ada' } });
  });

  test('is not stored after a sign-out, in this tab or another', async () => {
    const world = createWorld(ada);
    const { app } = await signedIn(world);
    const other = world.openTab();
    await give(other.app, rendered);
    await soon(app.signOut());
    world.server.seen.length = 0;
    for (const tab of [app, other.app]) expect(await give(tab, rendered)).toEqual({ status: 'ok', data: null });
    expect(world.server.seen).toEqual([]);
  });

  test('is stored on a page that never had tokens: scripts cannot read those of a server-managed session', async () => {
    const { app } = createWorld().openTab();
    expect(await give(app, null)).toEqual({ status: 'ok', data: null });
    expect(await give(app, rendered)).toMatchObject({ data: { displayName: 'Ada, rendered' } });
    expect(await give(app, null)).toEqual({ status: 'ok', data: null });
  });
});

test('a server app returns the signed-in user with server-only fields', async () => {
  const server = createStubServer({
    [meRoute]: () => json(serverUserJson),
    'PATCH /api/v1/users/me': ({ body }) => json({ ...serverUserJson, ...JSON.parse(body) }),
  });
  const tokenStore = { accessToken: accessToken(), refreshToken: 'r' };
  const user = await soon(serverApp(machine(server.fetch), { tokenStore }).getUser({ or: 'throw' }));
  expect(user).toMatchObject({ serverMetadata: { plan: 'secret' }, lastActiveAt: new Date(1_752_000_001_000) });
  await soon(user.setPrimaryEmail('new@example.com', { verified: true }));
  const patch = server.to('PATCH /api/v1/users/me')[0];
  expect(patch?.headers.get('x-stack-access-type')).toBe('server');
  expect(patch?.body).toBe('{"primary_email":"new@example.com","primary_email_verified":true}');
  expect(JSON.stringify(user.toClientJson())).not.toContain('secret');
});

test('the session calls of the signed-in user of a server app name the current session to the server', async () => {
  const server = createStubServer({
    [meRoute]: () => json(serverUserJson),
    'GET /api/v1/auth/sessions': () => json({ items: [], is_paginated: false }),
    'GET /api/v1/extensions/sessions': () => json({ items: [], is_paginated: false }),
    'DELETE /api/v1/extensions/sessions/others': () => json({ ended: 1 }),
    'DELETE /api/v1/auth/sessions/own': () => json({ success: true }),
  });
  const tokenStore = { accessToken: accessToken(), refreshToken: 'r' };
  const user = await soon(serverApp(machine(server.fetch), { tokenStore }).getUser({ or: 'throw' }));
  server.seen.length = 0;
  expect(await soon(user.getActiveSessions())).toEqual([]);
  expect(await soon(user.getDeviceSessions())).toEqual([]);
  expect(await soon(user.revokeOtherSessions())).toBe(1);
  await soon(user.revokeSession('own'));
  const credentials = server.seen.map(({ headers }) => [
    headers.get('x-stack-access-type'),
    headers.get('x-stack-access-token'),
  ]);
  expect(credentials).toEqual(Array(4).fill(['server', tokenStore.accessToken]));
});

test('getUser with a pair of tokens fails after one request when the server answers 500', async () => {
  const server = createStubServer({ '*': () => new Response('broken', { status: 500 }) });
  const app = clientApp(machine(server.fetch), { tokenStore: { accessToken: accessToken(), refreshToken: 'r' } });
  await expect(soon(app.getUser())).rejects.toThrow('answered 500');
  expect(server.seen).toHaveLength(1);
});

test('a hook with a request as its token store fails with the sentence that only getUser takes a request', async () => {
  const app = clientApp(machine(noConnection), { tokenStore: null });
  const tokenStore = { headers: new Headers() };
  expect(() => app[internals].user({ tokenStore }).peek()).toThrow('Only getUser takes a request.');
  expect(await soon(app.getUser({ tokenStore }))).toBeNull();
});
