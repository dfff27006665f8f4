import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RequestCookies } from '../../app/config/options.ts';
import { clientApp, machine, userJson } from '../../test/apps.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The cookies of a request; `written` has those of its response. */
function cookiesOf(initial: Record<string, string>) {
  const written: unknown[] = [];
  const cookies: RequestCookies['cookies'] = {
    getAll: () => Object.entries(initial).map(([name, value]) => ({ name, value })),
    set: (...cookie) => written.push(cookie),
  };
  return { cookies, written };
}

function open(tokenStore: RequestCookies, options: { cookieDomain?: string } = {}) {
  const server = createStubServer({
    'GET /api/v1/users/me': ({ headers }) => json({ ...userJson, display_name: headers.get('x-stack-refresh-token') }),
    'POST /api/v1/auth/oauth/token': () => json({ access_token: accessToken(), token_type: 'Bearer' }),
    'POST /api/v1/auth/password/sign-in': () =>
      json({ access_token: accessToken(), refresh_token: 'new', user_id: userJson.id }),
    'DELETE /api/v1/auth/sessions/current': () => json({ success: true }),
  });
  return clientApp(machine(server.fetch), { tokenStore, redirectMethod: 'none', ...options });
}

const ada = { email: 'ada@example.com', password: 'correct horse', noRedirect: true };
const common = { sameSite: 'lax', path: '/' };

describe('the cookies of a request', () => {
  test('identify the user', async () => {
    const { cookies } = cookiesOf({ 'stack-refresh-p1': 'r', 'stack-access': JSON.stringify(['r', accessToken()]) });
    expect((await soon(open({ cookies }).getUser()))?.displayName).toBe('r');
  });

  test('are written to the response after a sign-in, and deleted after a sign-out', async () => {
    const { cookies, written } = cookiesOf({});
    const app = open({ cookies, domain: 'shop.example' });
    await soon(app.signInWithCredential(ada));
    const options = { ...common, secure: true, httpOnly: false, domain: 'shop.example' };
    expect(written).toEqual([
      ['stack-access', expect.stringContaining('["new","head.'), { ...options, maxAge: 86_400 }],
      ['stack-refresh-p1', 'new', { ...options, maxAge: 31_536_000 }],
    ]);
    written.length = 0;
    await soon(app.signOut());
    expect(written).toEqual([
      ['stack-access', '', { ...options, maxAge: 0 }],
      ['stack-refresh-p1', '', { ...options, maxAge: 0 }],
    ]);
  });
});

test('the cookies of a request get the cookieDomain of the app when they name no domain', async () => {
  const { cookies, written } = cookiesOf({});
  await soon(open({ cookies }, { cookieDomain: 'shop.example' }).signInWithCredential(ada));
  const options = expect.objectContaining({ domain: 'shop.example' });
  expect(written).toEqual([
    ['stack-access', expect.any(String), options],
    ['stack-refresh-p1', 'new', options],
  ]);
});

describe('control 37: server-managed cookies', () => {
  test.each<[string, Partial<RequestCookies>, string]>([
    ['have the prefix __Host- and HttpOnly', { httpOnly: true }, '__Host-stack-access'],
    ['have no prefix where a domain shares them', { httpOnly: true, domain: 'a.example' }, 'stack-access'],
    ['have no prefix without https', { httpOnly: true, secure: false }, 'stack-access'],
  ])('%s', async (_, options, name) => {
    const { cookies, written } = cookiesOf({});
    await soon(open({ cookies, ...options }).signInWithCredential(ada));
    expect(written[0]).toMatchObject([name, expect.stringContaining('new'), { httpOnly: true }]);
  });

  test('win over cookies that scripts could have written', async () => {
    const { cookies } = cookiesOf({
      'stack-refresh-p1': 'planted',
      '__Host-stack-refresh-p1': 'own',
      '__Host-stack-access': JSON.stringify(['own', accessToken()]),
    });
    expect((await soon(open({ cookies, httpOnly: true }).getUser()))?.displayName).toBe('own');
  });

  test('are the only ones that sign in: another host of the domain can set cookies without the prefix', async () => {
    const planted = { 'stack-refresh-p1': 'planted', 'stack-access': JSON.stringify(['planted', accessToken()]) };
    expect(await soon(open({ ...cookiesOf(planted), httpOnly: true }).getUser())).toBeNull();
    const legacy = cookiesOf({ 'stack-refresh': 'planted' });
    expect(await soon(open({ ...legacy, httpOnly: true }).getUser())).toBeNull();
  });
});
