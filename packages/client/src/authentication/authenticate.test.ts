import { publicKeysMaxAgeMs } from '@tessera/protocol/limits';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RequestLike } from '../app/config/options.ts';
import { machine, serverApp, serverUserJson } from '../test/apps.ts';
import { createSigner, type Signer } from '../test/signing.ts';
import { createStubServer, json, knownError, noConnection, noResponse } from '../test/stub-server.ts';

const jwksRoute = 'GET /api/v1/projects/p1/.well-known/jwks.json';
const refreshRoute = 'POST /api/v1/auth/oauth/token';

let signer: Signer;
beforeAll(async () => {
  signer = await createSigner('k1');
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 1) }));
afterEach(() => void vi.useRealTimers());

function open(routes: Parameters<typeof createStubServer>[0] = {}, options = {}) {
  const server = createStubServer({ [jwksRoute]: () => json({ keys: [signer.jwk] }), ...routes });
  return { server, app: serverApp(machine(server.fetch), { tokenStore: null, retryBudgetMs: 0, ...options }) };
}

const bearer = (token: string): RequestLike => ({ headers: { authorization: `Bearer ${token}` } });

function cookies(refreshToken: string, accessToken?: string, more: Record<string, string> = {}): RequestLike {
  const pair = encodeURIComponent(JSON.stringify([refreshToken, accessToken]));
  const access = accessToken === undefined ? '' : `; stack-access=${pair}`;
  return { headers: { cookie: `stack-refresh-p1=${refreshToken}${access}`, ...more } };
}

const authOf = (tokens: object): RequestLike => ({ headers: { 'x-stack-auth': JSON.stringify(tokens) } });

const refreshedBy = async (token: Promise<string>) => json({ access_token: await token, token_type: 'Bearer' });

describe('authenticate accepts', () => {
  test.each<[string, (token: string) => RequestLike]>([
    ['a bearer token', bearer],
    ['a Fetch request', token => new Request('https://a.example', { headers: { authorization: `bearer ${token}` } })],
    ['a cookie', token => cookies('r', token)],
    [
      'x-stack-auth',
      token => ({ headers: { 'x-stack-auth': JSON.stringify({ accessToken: token, refreshToken: null }) } }),
    ],
  ])('%s, with one request for the public keys and none for the token', async (_, requestWith) => {
    const { app, server } = open();
    const token = await signer.token();
    for (let call = 0; call < 3; call++) {
      const auth = await app.authenticate(requestWith(token));
      expect(auth).toMatchObject({
        status: 'signed-in',
        userId: signer.ids.user,
        sessionId: signer.ids.session,
        claims: { aud: 'p1', role: 'authenticated' },
        setCookie: [],
      });
    }
    expect(server.seen.map(({ path }) => path)).toEqual(['/api/v1/projects/p1/.well-known/jwks.json']);
  });

  test('a token of a pinned key without any request', async () => {
    const app = serverApp(machine(noConnection), { tokenStore: null, jwks: { keys: [signer.jwk] } });
    expect(await app.authenticate(bearer(await signer.token()))).toMatchObject({ status: 'signed-in' });
  });

  test('a token of the next key after a rotation', async () => {
    const next = await createSigner('k2');
    let keys = [signer.jwk];
    const { app, server } = open({ [jwksRoute]: () => json({ keys }) });
    await app.authenticate(bearer(await signer.token()));
    keys = [signer.jwk, next.jwk];
    vi.advanceTimersByTime(30_000);
    expect(await app.authenticate(bearer(await next.token()))).toMatchObject({ status: 'signed-in' });
    expect(server.seen).toHaveLength(2);
  });

  test('a token while the server is away, after the key set was read once', async () => {
    const { app, server } = open();
    await app.authenticate(bearer(await signer.token()));
    server.routes[jwksRoute] = noConnection;
    vi.advanceTimersByTime(3_600_000);
    expect(await app.authenticate(bearer(await signer.token()))).toMatchObject({ status: 'signed-in' });
  });
});

test('in Cloudflare Workers concurrent requests share no request for the public keys', async () => {
  vi.stubGlobal('WebSocketPair', class {});
  const { app, server } = open();
  const requests = [bearer(await signer.token()), bearer(await signer.token())];
  await Promise.all(requests.map(request => app.authenticate(request)));
  vi.unstubAllGlobals();
  expect(server.to(jwksRoute)).toHaveLength(2);
});

describe('control 29: authenticate refuses', () => {
  test.each<[string, () => Promise<string>]>([
    ['a token of an unknown key', async () => (await createSigner('k9')).token()],
    ['a token of another key with a known key id', async () => (await createSigner('k1')).token()],
    ['a token of another project', () => signer.token({ aud: 'p2' })],
    ['a token of another issuer', () => signer.token({ iss: 'https://auth.example/api/v1/projects/p2' })],
    ['a token without a session', () => signer.token({ refreshTokenId: undefined })],
    ['a token that is not valid yet', () => signer.token({ nbf: Math.floor(Date.now() / 1000) + 60 })],
    ['a feed of ended sessions', () => signer.feed([])],
    ['a token of another type', async () => signer.sign(JSON.parse('{"aud":"p1"}'), { typ: 'at+jwt' })],
    ['a token without a signature', async () => `${(await signer.token()).split('.').slice(0, 2).join('.')}.AA`],
    ['a token with alg none', async () => noneToken(await signer.token())],
    ['a token of more than 4096 characters', () => signer.token({ padding: 'x'.repeat(4_096) })],
  ])('%s', async (_, make) => {
    const { app } = open();
    expect(await app.authenticate(bearer(await make()))).toEqual({
      status: 'signed-out',
      reason: 'invalid-token',
      setCookie: [],
    });
  });

  test('a token of a removed key, also one that was verified before', async () => {
    const { app, server } = open();
    const token = await signer.token();
    expect(await app.authenticate(bearer(token))).toMatchObject({ status: 'signed-in' });
    const next = await createSigner('k2');
    server.routes[jwksRoute] = () => json({ keys: [next.jwk] });
    vi.advanceTimersByTime(300_000);
    expect(await app.authenticate(bearer(token))).toMatchObject({ reason: 'invalid-token' });
  });

  test('a token of a key that another key with the same id has replaced', async () => {
    let keys = [signer.jwk];
    const { app } = open({ [jwksRoute]: () => json({ keys }) });
    await app.authenticate(bearer(await signer.token()));
    keys = [(await createSigner('k1')).jwk];
    vi.advanceTimersByTime(publicKeysMaxAgeMs);
    expect(await app.authenticate(bearer(await signer.token()))).toMatchObject({ reason: 'invalid-token' });
  });

  test('forged key ids with at most one request in 30 seconds', async () => {
    const { app, server } = open();
    const strangers = await Promise.all(['a', 'b', 'c'].map(kid => createSigner(kid)));
    for (const stranger of strangers) await app.authenticate(bearer(await stranger.token()));
    expect(server.to(jwksRoute)).toHaveLength(1);
  });

  test('an expired token, to the millisecond', async () => {
    const { app } = open();
    const token = await signer.token({}, 60_000);
    vi.advanceTimersByTime(59_999);
    expect(await app.authenticate(bearer(token))).toMatchObject({ status: 'signed-in' });
    vi.advanceTimersByTime(1);
    expect(await app.authenticate(bearer(token))).toMatchObject({ reason: 'token-expired' });
  });

  test.each<[string, RequestLike, string]>([
    ['a request without tokens', { headers: {} }, 'no-token'],
    ['another authorization scheme', { headers: { authorization: 'Basic YTpi' } }, 'no-token'],
    ['an API key as bearer', { headers: { authorization: 'Bearer sk_abc' } }, 'no-token'],
    ['a malformed x-stack-auth', { headers: { 'x-stack-auth': '{' } }, 'invalid-token'],
    ['x-stack-auth of empty tokens', authOf({ accessToken: '', refreshToken: '' }), 'invalid-token'],
    ['x-stack-auth of undefined', authOf({ accessToken: null, refreshToken: 'undefined' }), 'invalid-token'],
    ['cookies of undefined', cookies('undefined', 'undefined'), 'no-token'],
  ])('%s without a request', async (_, request, reason) => {
    const { app, server } = open();
    expect(await app.authenticate(request)).toMatchObject({ status: 'signed-out', reason });
    expect(server.seen).toEqual([]);
  });
});

test.each(['stack-refresh-p1', '\u00a0__Host-stack-refresh-p1', '\u00a0__Host-stack-access'])(
  'control 37: a cookie named %j, which any host of the domain can set, does not replace a server-managed session',
  async name => {
    const { app } = open();
    const access = (refreshToken: string, token: string) => encodeURIComponent(JSON.stringify([refreshToken, token]));
    const [own, planted] = [await signer.token(), await signer.token({ sub: 'the account of an attacker' })];
    const cookie = [
      `__Host-stack-refresh-p1=own; __Host-stack-access=${access('own', own)}`,
      `${name}=${name.endsWith('access') ? access('own', planted) : 'planted'}`,
    ].join('; ');
    const request = new Request('https://shop.example', { headers: { cookie } });
    expect(await app.authenticate(request)).toMatchObject({ status: 'signed-in', userId: signer.ids.user });
  },
);

describe('a refresh', () => {
  test('a refresh replaces an expired token from cookies, and sets cookies on the response', async () => {
    const fresh = await signer.token();
    const { app, server } = open({ [refreshRoute]: () => refreshedBy(Promise.resolve(fresh)) });
    const expired = await signer.token({}, -1_000);
    const auth = await app.authenticate(cookies('r', expired, { 'x-forwarded-proto': 'https' }));
    expect(auth).toMatchObject({ status: 'signed-in', userId: signer.ids.user });
    expect(auth.setCookie).toEqual([
      `stack-access=${encodeURIComponent(JSON.stringify(['r', fresh]))}; Path=/; Max-Age=86400; SameSite=Lax; Secure`,
      'stack-refresh-p1=r; Path=/; Max-Age=31536000; SameSite=Lax; Secure',
    ]);
    expect(server.to(refreshRoute)).toHaveLength(1);
  });

  test('a refreshed token that has expired by the clock of this server is reported as expired', async () => {
    const lateToken = signer.token({ exp: Math.floor(Date.now() / 1000) - 1 });
    const { app } = open({ [refreshRoute]: () => refreshedBy(lateToken) });
    expect(await app.authenticate(cookies('r'))).toMatchObject({ status: 'signed-out', reason: 'token-expired' });
  });

  test('a refresh of tokens from cookies sets the cookies for the cookieDomain of the app', async () => {
    const { app } = open({ [refreshRoute]: () => refreshedBy(signer.token()) }, { cookieDomain: 'shop.example' });
    const { setCookie } = await app.authenticate(cookies('r'));
    expect(setCookie).toEqual(Array(2).fill(expect.stringContaining('; Domain=shop.example;')));
  });

  test('a refresh with a cookieDomain deletes the cookies that were written for one host before', async () => {
    const { app } = open({ [refreshRoute]: () => refreshedBy(signer.token()) }, { cookieDomain: 'shop.example' });
    const { setCookie } = await app.authenticate({ headers: { cookie: 'stack-refresh-p1=r; stack-refresh-p1=r' } });
    expect(setCookie).toEqual([
      'stack-refresh-p1=; Path=/; Max-Age=0; SameSite=Lax',
      expect.stringContaining('stack-access='),
      'stack-refresh-p1=r; Path=/; Domain=shop.example; Max-Age=31536000; SameSite=Lax',
    ]);
  });

  test('a refresh of a server-managed session keeps its cookies on this host, also with a cookieDomain', async () => {
    const { app } = open({ [refreshRoute]: () => refreshedBy(signer.token()) }, { cookieDomain: 'shop.example' });
    const { setCookie } = await app.authenticate({ headers: { cookie: '__Host-stack-refresh-p1=r' } });
    expect(setCookie).toEqual(Array(2).fill(expect.stringMatching(/^__Host-(?!.*Domain)/)));
  });

  test('a refresh of tokens from x-stack-auth sets no cookies, whether it succeeds or is refused', async () => {
    const request = authOf({ accessToken: null, refreshToken: 'r' });
    const { app, server } = open({ [refreshRoute]: () => refreshedBy(signer.token()) });
    expect(await app.authenticate(request)).toMatchObject({ status: 'signed-in', setCookie: [] });
    server.routes[refreshRoute] = () => knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401);
    const { app: next } = open(server.routes);
    expect(await next.authenticate(request)).toEqual({
      status: 'signed-out',
      reason: 'session-ended',
      setCookie: [],
    });
  });

  test('a token that is valid for less than minLifeMs is refreshed', async () => {
    const { app, server } = open({ [refreshRoute]: () => refreshedBy(signer.token()) });
    const request = cookies('r', await signer.token({}, 10_000));
    await app.authenticate(request);
    expect(server.to(refreshRoute)).toHaveLength(0);
    await app.authenticate(request, { minLifeMs: 20_000 });
    expect(server.to(refreshRoute)).toHaveLength(1);
  });

  test('a refused refresh deletes the cookies', async () => {
    const { app } = open({ [refreshRoute]: () => knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401) });
    expect(await app.authenticate(cookies('r'))).toEqual({
      status: 'signed-out',
      reason: 'session-ended',
      setCookie: [
        'stack-access=; Path=/; Max-Age=0; SameSite=Lax',
        'stack-refresh-p1=; Path=/; Max-Age=0; SameSite=Lax',
      ],
    });
  });

  test.each([
    ['finds no server', noConnection],
    ['is answered with 500', async () => new Response('', { status: 500 })],
  ])('a refresh that %s leaves a token that is still valid signed in', async (_, answer) => {
    const { app, server } = open({ [refreshRoute]: answer });
    const auth = await app.authenticate(cookies('r', await signer.token({}, 10_000)), { minLifeMs: 20_000 });
    expect(auth).toMatchObject({ status: 'signed-in', userId: signer.ids.user, setCookie: [] });
    expect(server.to(refreshRoute)).toHaveLength(1);
  });

  test('a refused refresh of the legacy cookie deletes it, so the next request refreshes nothing', async () => {
    const { app } = open({ [refreshRoute]: () => knownError('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', 401) });
    const { setCookie } = await app.authenticate({ headers: { cookie: 'stack-refresh=r' } });
    expect(setCookie).toContain('stack-refresh=; Path=/; Max-Age=0; SameSite=Lax');
  });

  test('a refresh of an expired token that finds no server is an error, not a sign-out', async () => {
    const { app } = open({ [refreshRoute]: noConnection });
    await expect(app.authenticate(cookies('r'))).rejects.toMatchObject({ name: 'RequestError' });
  });
});

describe('the signed-in user', () => {
  test('is read with the tokens of the request, and a token is available for other services', async () => {
    const token = await signer.token();
    const { app, server } = open({ 'GET /api/v1/users/me': () => json(serverUserJson) });
    const auth = await app.authenticate(bearer(token));
    if (auth.status !== 'signed-in') throw new Error('signed out');
    expect(await auth.getToken()).toBe(token);
    expect(await auth.getUser()).toMatchObject({ id: serverUserJson.id, serverMetadata: { plan: 'secret' } });
    expect(server.to('GET /api/v1/users/me')[0]?.headers.get('x-stack-access-token')).toBe(token);
  });
});

describe('a server that accepts connections and never answers', () => {
  beforeEach(() => {
    const timedOut = AbortSignal.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timedOut);
  });
  afterEach(() => void vi.restoreAllMocks());

  test.each<[string, string, (token: string) => RequestLike, 'feed' | 'token-expiry']>([
    ['the public keys', jwksRoute, bearer, 'token-expiry'],
    ['a refresh', refreshRoute, () => cookies('r'), 'token-expiry'],
    ['the feed of ended sessions', 'GET /api/v1/extensions/ended-sessions', bearer, 'feed'],
  ])('is unreachable when it is asked for %s', async (_, route, requestWith, revocation) => {
    const { app } = open({ '*': () => new Response('', { status: 404 }), [route]: noResponse });
    const asked = app.authenticate(requestWith(await signer.token()), { revocation });
    await expect(asked).rejects.toMatchObject({ name: 'RequestError', reason: 'unreachable' });
  });
});

test('without a key set, a server that is away is an error', async () => {
  const { app } = open({ [jwksRoute]: noConnection });
  await expect(app.authenticate(bearer(await signer.token()))).rejects.toMatchObject({ reason: 'unreachable' });
});

function noneToken(token: string): string {
  const [, payload] = token.split('.');
  return `${btoa('{"alg":"none","kid":"k1"}').replaceAll('=', '')}.${payload}.AA`;
}
