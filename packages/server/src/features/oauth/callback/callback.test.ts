import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { refused } from '../../sign-in/scene.fixtures.ts';
import {
  appCallback,
  codeOf,
  createFakeProviders,
  githubEmails,
  githubTokenEndpoint,
  githubUser,
  newGithubUser,
  type OAuthScene,
  openOAuthScene,
  playGithub,
  redirectTarget,
} from '../oauth.fixtures.ts';

const fakes = createFakeProviders();

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openTestServer({ fetch: fakes.fetch });
  scene = await openOAuthScene(server, { domains: [{ domain: 'https://shop.example/app', handlerPath: '/handler' }] });
});
afterAll(() => server.close());
beforeEach(() => playGithub(fakes));

const errorPage = 'http://localhost:3000/handler/error?from=oauth';

/** The error code, message and URL of a redirect to the error page. */
function readErrorPage(location: string | null) {
  const url = new URL(location ?? '');
  const { errorCode, message, details, ...others } = Object.fromEntries(url.searchParams);
  return { page: url.origin + url.pathname, errorCode, hasWords: message !== '', details, others };
}

const errorPageWith = (errorCode: string, details = '{}') => ({
  page: 'http://localhost:3000/handler/error',
  errorCode,
  hasWords: true,
  details,
  others: { from: 'oauth' },
});

describe('the OAuth callback', () => {
  test('redirects to the app with a code and its state', async () => {
    const answer = await scene.completeFlow(newGithubUser());
    expect(outcome(answer)).toEqual({ status: 303, body: {} });
    expect(redirectTarget(answer)).toBe(`${appCallback}?code=a-code&state=state+of+the+app`);
  });

  test('keeps the query of the redirect URI, and removes its fragment', async () => {
    const redirect_uri = 'http://localhost:3000/back?a=%20b&state=old&c#part';
    const answer = await scene.completeFlow(newGithubUser(), { redirect_uri, state: 's&t=1' });
    expect(redirectTarget(answer)).toBe('http://localhost:3000/back?a=%20b&c&code=a-code&state=s%26t%3D1');
  });

  test('control 51: deletes the cookie, after success and failure', async () => {
    const flow = await scene.startFlow();
    const ended = `stack-oauth-inner-${flow.state}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; HttpOnly`;
    const good = await scene.callCallback(flow, { code: codeOf(newGithubUser()) });
    expect(good.headers.getSetCookie()).toEqual([ended]);
    const again = await scene.callCallback(flow, { code: codeOf(newGithubUser()) });
    expect(outcome(again)).toEqual(refused(400));
    expect(again.headers.getSetCookie()).toEqual([ended]);
    const without = await scene.callCallback({ ...flow, cookie: '' }, { code: 'x' });
    expect(without.headers.getSetCookie()).toEqual([ended]);
  });

  test('deletes the cookie also with a known error', async () => {
    const flow = await scene.startFlow();
    const answer = await scene.callCallback(flow, { error: 'access_denied' });
    expect(outcome(answer)).toEqual({ status: 400, code: 'OAUTH_PROVIDER_ACCESS_DENIED' });
    expect(answer.headers.get('set-cookie')).toMatch(/^stack-oauth-inner-[\w-]{43}=; .*Max-Age=0/);
  });

  test('accepts a POST with a form', async () => {
    const flow = await scene.startFlow();
    const form = new URLSearchParams({ state: flow.state, code: codeOf(newGithubUser()), user: '{}' });
    const response = await server.app(
      new Request('http://localhost:4280/api/v1/auth/oauth/callback/github', {
        method: 'POST',
        body: form,
        headers: { cookie: flow.cookie },
      }),
    );
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/handler\/oauth-callback\?code=/);
  });

  test('needs no project headers, and ignores unknown parameters', async () => {
    const answer = await scene.callCallback(await scene.startFlow(), {
      code: codeOf(newGithubUser()),
      session_state: 'x',
      hd: 'example.com',
      iss: 'https://github.com/login/oauth',
    });
    expect(answer.status).toBe(303);
  });
});

describe('control 51: the state of a callback', () => {
  test('is refused in another browser', async () => {
    const { state, cookie: own } = await scene.startFlow();
    const code = codeOf(newGithubUser());
    for (const cookie of ['', 'stack-oauth-inner-=true', `stack-oauth-inner-${state}=false`, `x${state}=true`]) {
      expect(outcome(await scene.callCallback({ state, cookie }, { code }))).toEqual(refused(400));
    }
    expect((await scene.callCallback({ state, cookie: own }, { code })).status).toBe(303);
  });

  test('is refused when it is unknown or missing', async () => {
    const state = 'a'.repeat(43);
    const cookie = `stack-oauth-inner-${state}=true`;
    expect(outcome(await scene.callCallback({ state, cookie }, { code: 'x' }))).toEqual(refused(400));
    const none = await scene.callCallback({ state, cookie }, { state: undefined, code: 'x' });
    expect(outcome(none)).toEqual(refused(400));
    expect(none.headers.get('set-cookie')).toBeNull();
  });

  test.each(['x; Domain=evil.example', 'x\r\nset-cookie: a=b', 'x'.repeat(1000), '=; Path=/'])(
    'is written into no header: %j',
    async state => {
      const answer = await scene.callCallback(
        { state, cookie: `stack-oauth-inner-${encodeURIComponent(state)}=true` },
        {},
      );
      expect(outcome(answer)).toEqual(refused(400));
      expect(answer.headers.get('set-cookie')).toBeNull();
    },
  );

  test('works once: of 20 concurrent callbacks one succeeds', async () => {
    const flow = await scene.startFlow();
    const code = codeOf(newGithubUser());
    const answers = await Promise.all(Array.from({ length: 20 }, () => scene.callCallback(flow, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(19).fill(400)].sort());
  });

  test('expires after ten minutes', async () => {
    const flow = await scene.startFlow({ error_redirect_url: errorPage });
    server.clock.advance(599_999);
    expect((await scene.callCallback(flow, { code: codeOf(newGithubUser()) })).status).toBe(303);
    const late = await scene.startFlow({ error_redirect_url: errorPage });
    server.clock.advance(600_000);
    const answer = await scene.callCallback(late, { code: codeOf(newGithubUser()) });
    expect(answer.status).toBe(303);
    expect(readErrorPage(answer.headers.get('location'))).toEqual(errorPageWith('OUTER_OAUTH_TIMEOUT'));
  });

  test('without an error page the timeout is answered directly', async () => {
    const late = await scene.startFlow();
    server.clock.advance(600_000);
    const answer = await scene.callCallback(late, { code: codeOf(newGithubUser()) });
    expect(outcome(answer)).toEqual({ status: 408, code: 'OUTER_OAUTH_TIMEOUT' });
  });
});

describe('control 52: mix-up of providers', () => {
  test('a callback of another provider is refused, and its code is sent to no provider', async () => {
    await scene.configure({
      oauthProviders: [
        ...(await githubAlone()),
        { id: 'gitlab', type: 'standard', clientId: 'an id', sealedClientSecret: 'sealed' },
      ],
    });
    const flow = await scene.startFlow({ error_redirect_url: errorPage });
    const before = fakes.asked.length;
    const answer = await scene.callCallback(flow, { code: codeOf(newGithubUser()) }, { provider_id: 'gitlab' });
    expect(outcome(answer)).toEqual(refused(400));
    expect(fakes.asked).toHaveLength(before);
  });

  test.each(['spotify', 'nope'])(
    'a callback of the provider %j, which the project does not have, is OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    async id => {
      const flow = await scene.startFlow();
      const answer = await scene.callCallback(flow, { code: codeOf(newGithubUser()) }, { provider_id: id });
      expect(outcome(answer)).toEqual({ status: 400, code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED' });
    },
  );
});

describe('errors of the provider', () => {
  test.each(['access_denied', 'consent_required', 'user_cancelled_login', 'user_cancelled_authorize'])(
    '%s is OAUTH_PROVIDER_ACCESS_DENIED, on the error page',
    async error => {
      const answer = await scene.callCallback(await scene.startFlow({ error_redirect_url: errorPage }), { error });
      expect(readErrorPage(answer.headers.get('location'))).toEqual(errorPageWith('OAUTH_PROVIDER_ACCESS_DENIED'));
    },
  );

  test('error_redirect_uri wins over error_redirect_url', async () => {
    const pages = { error_redirect_url: 'http://localhost:3000/old', error_redirect_uri: errorPage };
    const answer = await scene.callCallback(await scene.startFlow(pages), { error: 'access_denied' });
    expect(readErrorPage(answer.headers.get('location'))).toEqual(errorPageWith('OAUTH_PROVIDER_ACCESS_DENIED'));
  });

  test('an untrusted error page is not used, and does not fail a successful callback', async () => {
    const flow = await scene.startFlow({ error_redirect_url: 'https://evil.example/' });
    const answer = await scene.callCallback(flow, { error: 'access_denied' });
    expect(outcome(answer)).toEqual({ status: 400, code: 'OAUTH_PROVIDER_ACCESS_DENIED' });
    const success = await scene.completeFlow(newGithubUser(), { error_redirect_url: 'https://evil.example/' });
    expect(success.status).toBe(303);
  });

  test.each<[string, () => void, Record<string, string | undefined>]>([
    ['another error', () => undefined, { error: 'server_error' }],
    ['no code', () => undefined, {}],
    ['an unknown code', () => tokenAnswer({ error: 'invalid_grant' }, 400), { code: 'x' }],
    ['an unknown code, in the form of GitHub', () => tokenAnswer({ error: 'bad_verification_code' }), { code: 'x' }],
    ['an unknown client', () => tokenAnswer({ error: 'invalid_client' }, 401), { code: 'x' }],
    ['a scope that is not allowed', () => tokenAnswer({ error: 'unauthorized_scope_error' }, 400), { code: 'x' }],
    ['no access token', () => tokenAnswer({ token_type: 'bearer' }), { code: 'x' }],
    ['a response that is not JSON', () => fakes.answer(githubTokenEndpoint, () => new Response('<h1>')), { code: 'x' }],
    [
      'a redirect',
      () => fakes.answer(githubTokenEndpoint, () => Response.redirect('https://evil.example/', 302)),
      { code: 'x' },
    ],
    ['a 503', () => fakes.answer(githubTokenEndpoint, () => new Response('', { status: 503 })), { code: 'x' }],
    [
      'no response',
      () => fakes.answer(githubTokenEndpoint, () => Promise.reject(new TypeError('fetch failed'))),
      { code: 'x' },
    ],
    [
      'a response that is too long',
      () => fakes.answer(githubTokenEndpoint, () => new Response('x'.repeat(1024 * 1024 + 1))),
      { code: 'x' },
    ],
    ['a refused profile request', () => fakes.answer(githubUser, () => new Response('', { status: 401 })), good()],
    ['a profile without an id', () => fakes.answer(githubUser, () => Response.json({ name: 'x' })), good()],
    ['a profile with an empty id', () => fakes.answer(githubUser, () => Response.json({ id: '' })), good()],
    ['hidden email addresses', () => fakes.answer(githubEmails, () => new Response('', { status: 403 })), good()],
  ])('%s is a text 400, not on the error page', async (_, arrange, query) => {
    arrange();
    const answer = await scene.callCallback(await scene.startFlow({ error_redirect_url: errorPage }), query);
    expect(outcome(answer)).toEqual(refused(400));
  });

  function good() {
    return { code: codeOf(newGithubUser()) };
  }

  function tokenAnswer(body: object, status = 200): void {
    fakes.answer(githubTokenEndpoint, () => Response.json(body, { status }));
  }

  test('control 86: a redirect of a provider is not followed', async () => {
    const before = fakes.asked.length;
    fakes.answer(githubTokenEndpoint, () => Response.redirect('https://evil.example/', 302));
    fakes.answer('https://evil.example/', () => Response.json({ access_token: 'stolen', token_type: 'bearer' }));
    expect(outcome(await scene.callCallback(await scene.startFlow(), good()))).toEqual(refused(400));
    expect(fakes.asked.slice(before).map(({ url }) => url)).toEqual([githubTokenEndpoint]);
  });

  test('control 23: the log of a failed provider sign-in has neither code nor token', async () => {
    fakes.answer(githubTokenEndpoint, () => Response.json({ access_token: 'secret token' }, { status: 500 }));
    await scene.callCallback(await scene.startFlow(), { code: 'secretcode' });
    expect(server.logged()).toContain('a provider sign-in failed');
    expect(server.logged()).not.toMatch(/secret ?(token|code)/);
  });

  test('a provider that was removed meanwhile is OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', async () => {
    const own = await openOAuthScene(server);
    const flow = await own.startFlow({ error_redirect_url: errorPage });
    await own.configure({ oauthProviders: [] });
    const answer = await own.callCallback(flow, { code: codeOf(newGithubUser()) });
    expect(readErrorPage(answer.headers.get('location'))).toEqual(
      errorPageWith('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED'),
    );
  });
});

describe('control 47: the redirect URI of a callback', () => {
  test.each([
    'http://localhost/x',
    'http://localhost:1234/x?y=z',
    'http://app.localhost:3000/',
    'http://127.1.2.3/',
    'https://shop.example/app/callback',
    'https://shop.example:8443/application',
    'HTTPS://SHOP.example/app',
    'https://shop.example/a/../app/',
  ])('%s is trusted', async redirect_uri => {
    expect((await scene.completeFlow(newGithubUser(), { redirect_uri })).status).toBe(303);
  });

  test.each([
    'https://evil.example/',
    'http://shop.example/app',
    'https://shop.example/other',
    'https://shop.example/app/../other',
    'https://sub.shop.example/app',
    'https://shop.example.evil.example/app',
    'https://shop.example@evil.example/app',
    'https://evil.example\\@shop.example/app',
    'https://shop.example./app',
    'https://shop.example%2eevil.example/app',
    'https://shöp.example/app',
    'http://localhost@evil.example/',
    'http://localhost.evil.example/',
    'http://[::1]/',
    'javascript://localhost/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
  ])('%s is refused', async redirect_uri => {
    const person = newGithubUser();
    const answer = await scene.completeFlow(person, { redirect_uri, error_redirect_url: errorPage });
    expect(outcome(answer)).toEqual(refused(400));
    expect((await scene.signIn(person)).isNewUser).toBe(true);
  });

  test('every URI is refused without domains and localhost', async () => {
    const closed = await openOAuthScene(server, { allowLocalhost: false, domains: [] });
    expect(outcome(await closed.completeFlow(newGithubUser()))).toEqual(refused(400));
  });

  test('a scope other than legacy is refused, and no user is created', async () => {
    const person = newGithubUser();
    expect(outcome(await scene.completeFlow(person, { scope: 'openid' }))).toEqual(refused(400));
    expect((await scene.signIn(person)).isNewUser).toBe(true);
  });
});

async function githubAlone() {
  const loaded = await server.deps.projects.find(scene.project.id);
  return (loaded?.project.config.oauthProviders ?? []).filter(({ id }) => id === 'github');
}
