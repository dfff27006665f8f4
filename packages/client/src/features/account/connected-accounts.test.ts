import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { userJson } from '../../test/apps.ts';
import { readOfEntity } from '../../test/readers.ts';
import { signedIn } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json, knownError } from '../../test/stub-server.ts';
import { createWorld } from '../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const route = 'POST /api/v1/connected-accounts/me/github/access-token';
const connected = { ...userJson, oauth_providers: [{ id: 'github', account_id: '1', email: null }] };
const me = { 'GET /api/v1/users/me': () => json(connected) };
const noScope = () =>
  knownError('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE', 400, { provider_id: 'github', scope: 'repo' });

test('a connected account returns access tokens of its provider', async () => {
  const { user, server } = await signedIn({ ...me, [route]: () => json({ access_token: 'gh' }) });
  const account = await soon(user.getConnectedAccount('github', { scopes: ['repo', 'gist'] }));
  expect(account?.id).toBe('github');
  expect(server.seen.at(-1)?.body).toBe('{"scope":"repo gist"}');
  expect(await soon(account?.getAccessToken() ?? Promise.reject())).toEqual({ accessToken: 'gh' });
});

test('getAccessToken fails with CONNECTION_MISSING when the provider token is gone', async () => {
  const { user, server } = await signedIn({ ...me, [route]: () => json({ access_token: 'gh' }) });
  const account = await soon(user.getConnectedAccount('github', { or: 'throw' }));
  server.routes[route] = noScope;
  await expect(soon(account.getAccessToken())).rejects.toThrow('no connected account of github');
});

test.each([
  ['it is not connected', { ...me, 'GET /api/v1/users/me': () => json(userJson) }],
  ['a scope is missing', { ...me, [route]: noScope }],
  [
    'the server does not know of it',
    { ...me, [route]: () => knownError('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER', 400) },
  ],
])('a connected account is null, or an error for `or: throw`, when %s', async (_, routes) => {
  const { user } = await signedIn(routes);
  expect(await soon(user.getConnectedAccount('github', { scopes: ['repo'] }))).toBeNull();
  await expect(soon(user.getConnectedAccount('github', { or: 'throw' }))).rejects.toThrow('no connected account');
});

test('a provider that the project does not offer throws', async () => {
  const code = 'OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS';
  const { user } = await signedIn({ ...me, [route]: () => knownError(code, 400) });
  await expect(soon(user.getConnectedAccount('github'))).rejects.toMatchObject({ errorCode: code });
});

test('equal accounts and scopes return the same reader', async () => {
  const { user } = await signedIn(me);
  const read = readOfEntity(user, 'getConnectedAccount');
  expect(read.reader('github', { scopes: ['a'] })).toBe(read.reader('github', { scopes: ['a'] }));
  expect(read.reader('github', { scopes: ['a'] })).not.toBe(read.reader('github', { scopes: ['b'] }));
});

describe('redirect', () => {
  async function asked(options = {}) {
    const world = createWorld({ oauth_providers: connected.oauth_providers });
    world.server.routes[route] = noScope;
    const start = 'https://shop.example/settings?tab=1#accounts';
    const tab = world.openTab({ redirectMethod: 'window', ...options }, start);
    await soon(tab.app.signInWithCredential(world.ada));
    const user = await soon(tab.app.getUser({ or: 'throw' }));
    return { ...world, ...tab, user };
  }

  async function departures(visited: readonly string[], count: number): Promise<void> {
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(300);
        expect(visited).toHaveLength(count);
      },
      { timeout: 20_000 },
    );
  }

  test('leads to the provider with the missing scopes, and returns to this page', async () => {
    const { user, visited } = await asked({ oauthScopesOnSignIn: { github: ['gist', 'repo'] } });
    const settled = vi.fn();
    user.getConnectedAccount('github', { or: 'redirect', scopes: ['repo', 'user'] }).then(settled, settled);
    await departures(visited, 1);
    const { searchParams, pathname } = new URL(visited[0]?.replace('assign ', '') ?? '');
    expect(pathname).toBe('/api/v1/auth/oauth/authorize/github');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      type: 'link',
      provider_scope: 'repo user gist',
      token: expect.stringContaining('head.'),
      after_callback_redirect_url: 'https://shop.example/settings?tab=1#accounts',
    });
    expect(settled).not.toHaveBeenCalled();
  });

  test('leads there again from a page to which the user came back', async () => {
    const { user, visited } = await asked();
    for (const count of [1, 2]) {
      void user.getConnectedAccount('github', { or: 'redirect', scopes: ['repo'] });
      await departures(visited, count);
    }
  });

  test('throws on a server', async () => {
    const { user } = await signedIn({ ...me, [route]: noScope });
    await expect(soon(user.getConnectedAccount('github', { or: 'redirect' }))).rejects.toThrow('browser');
  });
});
