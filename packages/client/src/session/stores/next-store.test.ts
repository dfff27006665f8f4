import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { clientApp, machine, userJson } from '../../test/apps.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json, noConnection } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The functions of Next.js for one request. */
function nextRequest(initial: Record<string, string>, { mayWrite = true, protocol = 'http' } = {}) {
  const jar = new Map(Object.entries(initial));
  const written: unknown[] = [];
  const assertMayWrite = () => {
    if (!mayWrite) throw new Error('Cookies can only be modified in a Server Action or Route Handler.');
  };
  return {
    jar,
    written,
    functions: {
      cookies: async () => ({
        getAll: () => [...jar].map(([name, value]) => ({ name, value })),
        set(name: string, value: string, options: { maxAge?: number }) {
          assertMayWrite();
          if (options.maxAge === 0) jar.delete(name);
          else jar.set(name, value);
          written.push([name, value, options]);
        },
      }),
      headers: async () => new Headers({ 'x-forwarded-proto': protocol }),
    },
  };
}

function open(next: ReturnType<typeof nextRequest>, options = {}) {
  const server = createStubServer({
    'GET /api/v1/users/me': ({ headers }) => json({ ...userJson, display_name: headers.get('x-stack-refresh-token') }),
    'POST /api/v1/auth/oauth/token': () => json({ access_token: accessToken(), token_type: 'Bearer' }),
    'POST /api/v1/auth/password/sign-in': () =>
      json({ access_token: accessToken(), refresh_token: 'new', user_id: userJson.id }),
    'DELETE /api/v1/auth/sessions/current': () => json({ success: true }),
  });
  const app = clientApp(machine(server.fetch), { tokenStore: 'nextjs-cookie', nextjs: next.functions, ...options });
  return { server, app };
}

const common = { secure: true, httpOnly: false, sameSite: 'lax', path: '/' };
const ada = { email: 'ada@example.com', password: 'correct horse', noRedirect: true };

describe('the cookies of a Next.js request', () => {
  test('control 43: identify the user at every call anew', async () => {
    const token = accessToken();
    const next = nextRequest({ 'stack-refresh-p1': 'r', 'stack-access': JSON.stringify(['r', token]) });
    const { app, server } = open(next);
    expect((await soon(app.getUser()))?.displayName).toBe('r');
    expect(server.seen[0]?.headers.get('x-stack-access-token')).toBe(token);
    next.jar.clear();
    expect(await soon(app.getUser())).toBeNull();
  });

  test('control 37: are written where Next.js allows it, Secure behind an https proxy', async () => {
    const next = nextRequest({}, { protocol: 'https' });
    const { app } = open(next, { redirectMethod: 'none' });
    await soon(app.signInWithCredential(ada));
    expect(next.written).toEqual([
      ['stack-access', expect.stringContaining('["new","head.'), { ...common, maxAge: 86_400 }],
      ['stack-refresh-p1', 'new', { ...common, maxAge: 31_536_000 }],
    ]);
    await soon(app.signOut());
    expect([...next.jar.keys()]).toEqual([]);
  });

  test('control 37: of a server-managed session stay HttpOnly and __Host- when a token is refreshed or deleted', async () => {
    const next = nextRequest({ '__Host-stack-refresh-p1': 'own' });
    const { app } = open(next, { redirectMethod: 'none' });
    expect((await soon(app.getUser()))?.displayName).toBe('own');
    expect([...next.jar.keys()].sort()).toEqual(['__Host-stack-access', '__Host-stack-refresh-p1']);
    await soon(app.signOut());
    expect([...next.jar.keys()]).toEqual([]);
    const options = { ...common, httpOnly: true, maxAge: expect.any(Number) };
    for (const written of next.written) {
      expect(written).toEqual([expect.stringMatching(/^__Host-/), expect.any(String), options]);
    }
  });

  test('control 38: the legacy cookie is read, then replaced by the current name', async () => {
    const next = nextRequest({ 'stack-refresh': 'legacy' });
    expect((await soon(open(next).app.getUser()))?.displayName).toBe('legacy');
    expect([...next.jar.keys()].sort()).toEqual(['stack-access', 'stack-refresh-p1']);
  });

  test('a refresh under Next.js writes the cookies for the cookieDomain of the app', async () => {
    const next = nextRequest({ 'stack-refresh-p1': 'r' });
    await soon(open(next, { cookieDomain: 'shop.example' }).app.getUser());
    const options = expect.objectContaining({ domain: 'shop.example' });
    expect(next.written).toEqual([
      ['stack-access', expect.any(String), options],
      ['stack-refresh-p1', 'r', options],
    ]);
  });

  test('where cookies are read-only, a refreshed token serves the current call', async () => {
    const next = nextRequest({ 'stack-refresh-p1': 'r' }, { mayWrite: false });
    const { app } = open(next);
    expect((await soon(app.getUser()))?.displayName).toBe('r');
    expect(next.written).toEqual([]);
  });

  test('while Next.js prefetches a page, getUser waits: it neither reads the clock nor sends a request', async () => {
    const next = nextRequest({ 'stack-refresh-p1': 'r', 'stack-access': JSON.stringify(['r', accessToken()]) });
    const prefetch = { ...next.functions, connection: () => new Promise<void>(() => undefined) };
    const { app, server } = open(next, { nextjs: prefetch });
    const now = vi.spyOn(Date, 'now');
    const done = vi.fn();
    void app.getUser().then(done);
    await vi.advanceTimersByTimeAsync(1000);
    expect([done, now].map(({ mock }) => mock.calls)).toEqual([[], []]);
    expect(server.seen).toEqual([]);
  });

  test('redirectMethod defaults to `nextjs`', async () => {
    const { app } = open(nextRequest({}));
    await expect(soon(app.getUser({ or: 'redirect' }))).rejects.toThrow('nextjs.redirect');
  });
});

test('a page that reads data through a client app is dynamic in Next.js', async () => {
  const next = nextRequest({});
  const cookies = vi.fn(next.functions.cookies);
  const server = createStubServer({ '*': () => json({}) });
  const app = clientApp(machine(server.fetch), { tokenStore: 'memory', nextjs: { ...next.functions, cookies } });
  await soon(app[internals].sendRequest('/anything'));
  expect(cookies).toHaveBeenCalled();
});

test('without the functions of Next.js a server throws an error that names the option', async () => {
  const app = clientApp(machine(noConnection), { tokenStore: 'nextjs-cookie' });
  await expect(app.getUser()).rejects.toThrow('nextjs');
});
