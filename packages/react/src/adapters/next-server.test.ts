// @vitest-environment node

import { RequestError } from '@tessera/client';
import { expect, test, vi } from 'vitest';
import { auth, type NextProxyRequest, proxy } from './next-server.ts';

const jar = vi.hoisted(() => ({ getAll: vi.fn(() => [{ name: 'known', value: '1' }]) }));
vi.mock('next/headers.js', () => ({
  headers: async () => new Headers({ cookie: 'known=1' }),
  cookies: async () => jar,
}));
const connection = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('next/server.js', () => ({
  connection,
  NextResponse: class extends Response {
    static next() {
      return new Response(null, { headers: { 'x-middleware-next': '1' } });
    }
    static override redirect(url: URL) {
      return new Response(null, { status: 307, headers: { location: url.href } });
    }
  },
}));

function requestTo(path: string): NextProxyRequest {
  const url = `https://shop.example${path}`;
  const { pathname, search } = new URL(url);
  return { headers: new Headers(), method: 'GET', url, nextUrl: { pathname, basePath: '', search } };
}

const urls = { signIn: '/handler/sign-in' } as Parameters<typeof proxy>[0]['urls'];
const appOf = (state: object) => ({ urls, authenticate: async () => state }) as unknown as Parameters<typeof proxy>[0];

test.each(['/account', '/%61ccount', '//account', '/%61ccount/keys'])(
  'the proxy redirects a signed-out visitor of %s, whose page is protected',
  async path => {
    const app = appOf({ status: 'signed-out', reason: 'no-token', setCookie: [] });
    const response = await proxy(app, { protect: ['/account/*'] })(requestTo(path));
    expect([response.status, response.headers.has('x-middleware-next')]).toEqual([307, false]);
  },
);

test.each(['/account', '/handler/sign-in'])(
  'a cache keeps the response of client navigation to %s apart from that of a page load',
  async path => {
    const app = appOf({ status: 'signed-out', reason: 'no-token', setCookie: [] });
    const { headers } = await proxy(app, { protect: ['/account'] })(requestTo(path));
    expect(headers.get('vary')).toBe('rsc');
  },
);

test('no cache may store a response on which the proxy writes tokens', async () => {
  const fresh = appOf({ status: 'signed-in', setCookie: ['stack-access=new; Path=/'] });
  const response = await proxy(fresh)(requestTo('/'));
  expect(response.headers.get('set-cookie')).toBe('stack-access=new; Path=/');
  expect(response.headers.get('cache-control')).toBe('private, no-store');
});

test('the proxy leaves the caching of a page without new tokens to Next.js', async () => {
  const known = appOf({ status: 'signed-in', setCookie: [] });
  expect((await proxy(known)(requestTo('/'))).headers.get('cache-control')).toBeNull();
});

const away = {
  urls,
  authenticate: async () => {
    throw new RequestError('unreachable', 'The server cannot be reached.');
  },
} as Parameters<typeof proxy>[0];

test('while Tessera cannot be reached, the proxy passes an unprotected path on', async () => {
  const response = await proxy(away, { protect: ['/account'] })(requestTo('/'));
  expect(response.headers.has('x-middleware-next')).toBe(true);
});

test('while Tessera cannot be reached, the proxy answers 503 with Retry-After on a protected path', async () => {
  const response = await proxy(away, { protect: ['/account'] })(requestTo('/account'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
});

test('the proxy throws a failure that is not an unreachable server', async () => {
  const wrong = { ...away, authenticate: () => Promise.reject(new TypeError('wrong key')) };
  await expect(proxy(wrong)(requestTo('/'))).rejects.toThrow('wrong key');
});

test('auth authenticates the request of Next.js', async () => {
  const state = { status: 'signed-out', reason: 'no-token', setCookie: [] };
  expect(await auth(appOf(state))).toEqual(state);
});

test('auth sees the session that a server action of the request has set', async () => {
  const authenticate = vi.fn(async ({ headers }: { headers: Headers }) => ({
    status: 'signed-out',
    reason: headers.get('cookie'),
  }));
  jar.getAll.mockReturnValueOnce([{ name: 'stack-refresh-p1', value: 'new' }]);
  const app = { urls, authenticate } as unknown as Parameters<typeof auth>[0];
  expect(await auth(app)).toMatchObject({ reason: 'known=1; stack-refresh-p1=new' });
});

test('while Next.js prefetches a page, auth waits and authenticates no user', async () => {
  const authenticate = vi.fn();
  connection.mockReturnValueOnce(new Promise(() => undefined));
  const done = vi.fn();
  void auth({ urls, authenticate } as unknown as Parameters<typeof auth>[0]).then(done);
  await new Promise(resolve => setImmediate(resolve));
  expect([authenticate, done].map(({ mock }) => mock.calls)).toEqual([[], []]);
});
