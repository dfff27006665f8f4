import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { createBrowser } from '../oauth/browser.fixtures.ts';
import { appCallback, type OAuthScene, openOAuthScene } from '../oauth/oauth.fixtures.ts';
import { openProvider } from './provider.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openTestServer();
  const oauthProviders = (['github', 'google', 'spotify', 'microsoft'] as const).map(id => ({
    id,
    type: 'shared' as const,
  }));
  scene = await openOAuthScene(server, { oauthProviders });
});
afterAll(() => server.close());

/** A test browser on the sign-in page of the mock provider. */
async function atMockProvider(on: TestServer, query: Record<string, string> = {}, providerId = 'github') {
  const browser = createBrowser({ app: on.app, stopAt: 'http://localhost:3000' });
  const asked = new URLSearchParams(Object.entries({ ...scene.authorizeQuery(), ...query }) as [string, string][]);
  const page = await browser.open(`http://localhost:4280/api/v1/auth/oauth/authorize/${providerId}?${asked}`);
  return { browser, page };
}

describe('the mock OIDC provider', () => {
  test('the sign-in page names the provider and has one field and a button, without scripts', async () => {
    const { page } = await atMockProvider(server);
    expect(page.url).toMatch(/^http:\/\/localhost:4280\/dev\/oauth\/interaction\/[\w-]+$/);
    expect(page.response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('<h1>GitHub (mock provider)</h1>');
    expect(page.text).toContain('so this page replaces it');
    expect(page.text.match(/<input /g)).toHaveLength(1);
    expect(page.text).toMatch(/<button type="submit">Sign in<\/button>/);
    expect(page.text).not.toContain('<script');
  });

  test.each(['github', 'google', 'microsoft', 'spotify'])(
    'the entered name signs in as the account of provider %s',
    async id => {
      const address = `ada.${id}@example.com`;
      const { browser, page } = await atMockProvider(server, {}, id);
      const end = await browser.submit(page, { login: address });
      const url = new URL(end.url);
      expect(url.origin + url.pathname).toBe(appCallback);
      expect(url.searchParams.get('state')).toBe('state of the app');
      const answer = await scene.exchange(url.searchParams.get('code') ?? '');
      const { access_token: accessToken } = answer.json as { access_token: string };
      expect(await scene.call('GET /users/me', { accessToken })).toMatchObject({
        status: 200,
        body: {
          display_name: null,
          primary_email: address,
          primary_email_verified: true,
          profile_image_url: null,
          oauth_providers: [{ id, account_id: address, email: address }],
        },
      });
    },
  );

  test('a name that is not an email address signs in', async () => {
    const { browser, page } = await atMockProvider(server);
    const end = await browser.submit(page, { login: ' grace ' });
    const answer = await scene.exchange(new URL(end.url).searchParams.get('code') ?? '');
    const { access_token: accessToken } = answer.json as { access_token: string };
    expect(await scene.call('GET /users/me', { accessToken })).toMatchObject({
      body: { primary_email: null, oauth_providers: [{ id: 'github', account_id: 'grace', email: null }] },
    });
  });

  test('every sign-in shows the page again, with earlier users', async () => {
    const { browser, page } = await atMockProvider(server);
    await browser.submit(page, { login: 'first@example.com' });
    const query = new URLSearchParams(scene.authorizeQuery() as Record<string, string>);
    const again = await browser.open(`http://localhost:4280/api/v1/auth/oauth/authorize/github?${query}`);
    expect(again.text).toContain('<button name="login" value="first@example.com"');
    const end = await browser.submit(again, { login: 'second@example.com' });
    const answer = await scene.exchange(new URL(end.url).searchParams.get('code') ?? '');
    const { access_token: accessToken } = answer.json as { access_token: string };
    expect(await scene.call('GET /users/me', { accessToken })).toMatchObject({
      body: { primary_email: 'second@example.com' },
    });
  });

  test('a denied sign-in returns to the app with OAUTH_PROVIDER_ACCESS_DENIED', async () => {
    const { browser, page } = await atMockProvider(server, { error_redirect_url: 'http://localhost:3000/error' });
    const end = await browser.submit(page, { deny: 'yes' });
    expect(end.url).toMatch(/^http:\/\/localhost:3000\/error\?errorCode=OAUTH_PROVIDER_ACCESS_DENIED&/);
  });

  test('an empty name shows the page again, and the sign-in can continue', async () => {
    const { browser, page } = await atMockProvider(server);
    const again = await browser.submit(page, { login: '  ' });
    expect(again.response.status).toBe(400);
    expect(again.text).toContain('role="alert"');
    expect((await browser.submit(again, { login: 'ada@example.com' })).url).toContain(appCallback);
  });

  test('entered markup is escaped', async () => {
    const { browser, page } = await atMockProvider(server);
    await browser.submit(page, { login: '"><script>alert(1)</script>' });
    const { page: next } = await atMockProvider(server);
    expect(next.text).not.toContain('<script>');
  });

  test('a sign-in that another browser began is not shown', async () => {
    const { page } = await atMockProvider(server);
    const stranger = createBrowser({ app: server.app, stopAt: 'http://localhost:3000' });
    const end = await stranger.open(page.url);
    expect(end.response.status).toBe(400);
    expect(end.text).toContain('try again');
  });

  test('unknown scopes are ignored', async () => {
    const { browser, page } = await atMockProvider(server, { provider_scope: 'repo read:org' });
    expect((await browser.submit(page, { login: 'ada@example.com' })).url).toContain(appCallback);
  });

  test.each([
    ['chunks', { 'transfer-encoding': 'chunked', trailer: 'x-sum' }],
    ['an expectation and an upgrade', { expect: '100-continue', upgrade: 'h2c', te: 'trailers' }],
    ['long headers', { 'x-long': 'x'.repeat(30_000) }],
  ])('a token request with %s is answered', async (_, headers) => {
    const request = { method: 'POST', headers, body: new URLSearchParams({ grant_type: 'authorization_code' }) };
    const response = await server.app(new Request('http://localhost:4280/dev/oauth/token', request));
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('a path in another encoding does not exist', async () => {
    const response = await server.app(new Request('http://localhost:4280/dev/%6fauth/auth'));
    expect(response.status).toBe(404);
  });

  test('the discovery document has addresses of this server', async () => {
    const { browser } = await atMockProvider(server);
    const { text } = await browser.open('http://localhost:4280/dev/oauth/.well-known/openid-configuration');
    expect(JSON.parse(text)).toMatchObject({
      issuer: 'http://localhost:4280/dev/oauth',
      authorization_endpoint: 'http://localhost:4280/dev/oauth/auth',
      token_endpoint: 'http://localhost:4280/dev/oauth/token',
      jwks_uri: 'http://localhost:4280/dev/oauth/jwks',
    });
  });
});

test('the front page of the mock provider explains its purpose', async () => {
  const response = await server.app(new Request('http://localhost:4280/dev/oauth'));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<h1>Mock provider</h1>');
});

test('the mock provider does not exist in production', async () => {
  const production = await openTestServer({
    beside: server,
    environment: { TESSERA_MODE: 'production', TESSERA_PUBLIC_URL: 'https://auth.example.com' },
  });
  const response = await production.app(
    new Request('https://auth.example.com/dev/oauth/.well-known/openid-configuration'),
  );
  await production.close();
  expect(response.status).toBe(404);
});

describe('TESSERA_OAUTH_MOCK_URL', () => {
  const issuer = 'http://mock.example:8114/dev/oauth';
  let foreign: (request: Request) => Promise<Response>;
  let withMock: TestServer;
  beforeAll(async () => {
    foreign = await openProvider({ issuer, publicUrl: 'http://localhost:4280' });
    withMock = await openTestServer({
      beside: server,
      environment: { TESSERA_OAUTH_MOCK_URL: issuer },
      fetch: (input, init) => foreign(new Request(input, init)),
    });
  });
  afterAll(() => withMock.close());

  test('signs users in as subjects of the other issuer', async () => {
    const query = new URLSearchParams(scene.authorizeQuery() as Record<string, string>);
    const browser = createBrowser({
      app: withMock.app,
      stopAt: 'http://localhost:3000',
      others: { [new URL(issuer).origin]: foreign },
    });
    const page = await browser.open(`http://localhost:4280/api/v1/auth/oauth/authorize/spotify?${query}`);
    expect(page.url).toMatch(/^http:\/\/mock\.example:8114\/dev\/oauth\/interaction\//);
    const toIssuer = new URL(browser.visited.find(url => url.startsWith(`${issuer}/auth?`)) ?? '');
    expect(Object.fromEntries(toIssuer.searchParams)).toEqual({
      client_id: 'spotify',
      redirect_uri: 'http://localhost:4280/api/v1/auth/oauth/callback/spotify',
      response_type: 'code',
      access_type: 'offline',
      scope: 'openid',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const end = await browser.submit(page, { login: 'mock.user@example.com' });
    const answer = await scene.exchange(new URL(end.url).searchParams.get('code') ?? '');
    const { access_token: accessToken } = answer.json as { access_token: string };
    expect(await scene.call('GET /users/me', { accessToken })).toMatchObject({
      body: {
        display_name: null,
        primary_email: 'mock.user@example.com',
        primary_email_verified: true,
        profile_image_url: null,
        oauth_providers: [{ id: 'spotify', account_id: 'mock.user@example.com', email: 'mock.user@example.com' }],
      },
    });
  });

  test('disables the built-in mock provider', async () => {
    const response = await withMock.app(new Request('http://localhost:4280/dev/oauth/auth'));
    expect(response.status).toBe(404);
  });

  test('an issuer that does not answer is reported with a sentence', async () => {
    const silent = await openTestServer({
      beside: server,
      environment: { TESSERA_OAUTH_MOCK_URL: issuer },
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    });
    const params = { provider_id: 'github' };
    const answer = await silent.call('GET /auth/oauth/authorize/{provider_id}', {
      level: null,
      params,
      query: scene.authorizeQuery(),
    });
    await silent.close();
    expect(outcome(answer)).toEqual({ status: 400, says: 'a sentence' });
  });
});

test('with several workers there is no mock provider, and a sign-in is refused before the browser leaves', async () => {
  const several = await openTestServer({ environment: { TESSERA_WORKERS: '2' } });
  try {
    const own = await openOAuthScene(several);
    expect(outcome(await own.authorize({}, 'google'))).toEqual({ status: 400, says: 'a sentence' });
    expect((await several.app(new Request('http://localhost:4280/dev/oauth'))).status).toBe(404);
  } finally {
    await several.close();
  }
});
