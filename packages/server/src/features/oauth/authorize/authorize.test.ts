import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  aVerifier,
  challengeOf,
  createFakeProviders,
  type OAuthScene,
  openOAuthScene,
  playGithub,
} from '../oauth.fixtures.ts';

const fakes = createFakeProviders();
playGithub(fakes);

let server: TestServer;
let scene: OAuthScene;
let other: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ fetch: fakes.fetch });
  scene = await openOAuthScene(server);
  other = await server.make.project();
});
afterAll(() => server.close());

const invalid = (part: string) => ({
  status: 400,
  code: 'SCHEMA_ERROR',
  details: { message: expect.stringContaining(part) },
});

describe('the start of an OAuth sign-in', () => {
  test('redirects to the provider with all parameters', async () => {
    const answer = await scene.authorize();
    expect(answer.status).toBe(307);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe('https://github.com/login/oauth/authorize');
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'the github client',
      redirect_uri: 'http://localhost:4280/api/v1/auth/oauth/callback/github',
      response_type: 'code',
      access_type: 'offline',
      state: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'user:email',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    // Not the state of the app: the server is an OAuth client of its own.
    expect(location.searchParams.get('code_challenge')).not.toBe(challengeOf(aVerifier));
  });

  test('control 51: sets one cookie, which expires after ten minutes', async () => {
    const answer = await scene.authorize();
    const state = new URL(answer.headers.get('location') ?? '').searchParams.get('state');
    const expires = new Date(server.clock.now() + 600_000).toUTCString();
    expect(answer.headers.getSetCookie()).toEqual([
      `stack-oauth-inner-${state}=true; Path=/; Expires=${expires}; Max-Age=600; HttpOnly`,
    ]);
  });

  test('in production the cookie is Secure', async () => {
    const production = await openTestServer({
      beside: server,
      fetch: fakes.fetch,
      environment: { TESSERA_MODE: 'production', TESSERA_PUBLIC_URL: 'https://auth.example.com' },
    });
    const answer = await production.call('GET /auth/oauth/authorize/{provider_id}', {
      level: null,
      params: { provider_id: 'github' },
      query: scene.authorizeQuery(),
    });
    await production.close();
    expect(answer.headers.get('set-cookie')).toMatch(/; Max-Age=600; Secure; HttpOnly$/);
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('redirect_uri')).toBe(
      'https://auth.example.com/api/v1/auth/oauth/callback/github',
    );
  });

  test('requests the scopes of the provider and those of the app, each once', async () => {
    const { location } = await scene.startFlow({ provider_scope: 'repo user:email  read:org repo' });
    expect(location.searchParams.get('scope')).toBe('user:email repo read:org');
  });

  test('two flows share no secrets', async () => {
    const [one, two] = [await scene.startFlow(), await scene.startFlow()];
    expect(one.state).not.toBe(two.state);
    expect(one.location.searchParams.get('code_challenge')).not.toBe(two.location.searchParams.get('code_challenge'));
  });

  test('control 57: no secret of a flow is readable in the database', async () => {
    const { state } = await scene.startFlow({ state: 'recognisable state' });
    const rows = await server.deps.db.query<{ row: string; request: Buffer }>(sql`
      select oauth_flows::text as row, request from oauth_flows where project_id = ${scene.project.id}
    `);
    expect(rows).not.toEqual([]);
    for (const { row, request } of rows) {
      const text = row + request.toString('latin1');
      expect(text).not.toContain(state);
      expect(text).not.toContain('recognisable');
    }
  });

  test('the client_id may name the branch', async () => {
    expect((await scene.authorize({ client_id: `${scene.project.id}#main` })).status).toBe(307);
  });
});

describe('an invalid authorize request is refused with SCHEMA_ERROR', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['no client', { client_id: undefined }, 'query.client_id must be defined'],
    ['no secret', { client_secret: undefined }, 'query.client_secret must be defined'],
    ['no redirect URI', { redirect_uri: undefined }, 'query.redirect_uri must be defined'],
    ['a malformed redirect URI', { redirect_uri: 'not a url' }, 'query.redirect_uri is not a valid URL'],
    ['a redirect URI with blanks', { redirect_uri: 'not a url' }, 'query.redirect_uri contains spaces'],
    ['no scope', { scope: undefined }, 'query.scope must be defined'],
    ['no state', { state: undefined }, 'query.state must be defined'],
    ['an empty state', { state: '' }, 'query.state must be printable'],
    ['a state that is not ASCII', { state: 'tür' }, 'query.state must be printable'],
    ['another grant', { grant_type: 'refresh_token' }, 'query.grant_type'],
    ['another response', { response_type: 'token' }, 'query.response_type'],
    ['no challenge', { code_challenge: undefined }, 'query.code_challenge must be defined'],
    ['another type', { type: 'merge' }, 'query.type'],
    ['a malformed error page', { error_redirect_url: 'nowhere' }, 'query.error_redirect_url is not a valid URL'],
    ['a malformed newer error page', { error_redirect_uri: 'nowhere' }, 'query.error_redirect_uri'],
    ['an unknown parameter', { more: '1' }, 'query contains unknown properties: more'],
  ])('for %s', async (_, query, part) => {
    expect(outcome(await scene.authorize(query))).toEqual(invalid(part));
  });

  test.each(['plain', 's256', '', undefined])('control 49: for the challenge method %j', async method => {
    expect(outcome(await scene.authorize({ code_challenge_method: method }))).toEqual(
      invalid('query.code_challenge_method'),
    );
  });

  test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'java\tscript:alert(1)', 'data:text/html,x', 'vbscript:x'])(
    'control 48: for a script as after-callback URL: %j',
    async after_callback_redirect_url => {
      const answer = await scene.authorize({ after_callback_redirect_url });
      expect(outcome(answer)).toEqual(invalid('query.after_callback_redirect_url must not be a script'));
    },
  );
});

describe('client, key and provider of an authorize request', () => {
  test.each(['11111111-1111-4111-8111-111111111111', 'nonsense', '', 'internal#other'])(
    'the client %j is refused with INVALID_OAUTH_CLIENT_ID_OR_SECRET',
    async client_id => {
      const answer = await scene.authorize({ client_id });
      expect(outcome(answer)).toEqual({
        status: 400,
        code: 'INVALID_OAUTH_CLIENT_ID_OR_SECRET',
        details: { client_id },
      });
    },
  );

  test('a wrong key, and one of another kind or project, is refused with INVALID_PUBLISHABLE_CLIENT_KEY', async () => {
    const { project } = scene;
    for (const client_secret of ['', 'pck_wrong', project.secretServerKey, other.publishableClientKey]) {
      expect(outcome(await scene.authorize({ client_secret }))).toEqual({
        status: 401,
        code: 'INVALID_PUBLISHABLE_CLIENT_KEY',
        details: { project_id: project.id },
      });
    }
  });

  test.each(['spotify', 'GitHub', 'nonsense', '__proto__', 'constructor'])(
    'the provider %j is refused with OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    async id => {
      const expected = { status: 400, code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED' };
      expect(outcome(await scene.authorize({}, id))).toEqual(expected);
    },
  );

  test('a refused request answers the error, without redirect and cookie', async () => {
    const answer = await scene.authorize({ error_redirect_url: 'http://localhost:3000/error' }, 'spotify');
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('in production a shared provider without keys is refused with a text error', async () => {
    const production = await openTestServer({
      beside: server,
      fetch: fakes.fetch,
      environment: { TESSERA_MODE: 'production', TESSERA_PUBLIC_URL: 'https://auth.example.com' },
    });
    const answer = await production.call('GET /auth/oauth/authorize/{provider_id}', {
      level: null,
      params: { provider_id: 'google' },
      query: scene.authorizeQuery(),
    });
    await production.close();
    expect(outcome(answer)).toEqual({ status: 400, says: 'a sentence' });
  });

  test('a shared provider with keys of the installation redirects to the real provider', async () => {
    const withKeys = await openTestServer({
      beside: server,
      fetch: fakes.fetch,
      environment: { TESSERA_OAUTH_GOOGLE_CLIENT_ID: 'ours', TESSERA_OAUTH_GOOGLE_CLIENT_SECRET: 'secret' },
    });
    const answer = await withKeys.call('GET /auth/oauth/authorize/{provider_id}', {
      level: null,
      params: { provider_id: 'google' },
      query: scene.authorizeQuery(),
    });
    await withKeys.close();
    expect(answer.headers.get('location')).toMatch(
      /^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?client_id=ours&/,
    );
  });
});

describe('an authorize request of type link', () => {
  test('is refused with UNPARSABLE_ACCESS_TOKEN without a token, or with a malformed one', async () => {
    for (const token of [undefined, '', 'nonsense']) {
      const answer = await scene.authorize({ type: 'link', token });
      expect(outcome(answer)).toEqual({ status: 401, code: 'UNPARSABLE_ACCESS_TOKEN' });
    }
  });

  test('is refused with ACCESS_TOKEN_EXPIRED for an expired token', async () => {
    const { accessToken } = await scene.person();
    server.clock.advance(600_000);
    const answer = await scene.authorize({ type: 'link', token: accessToken });
    const details = { expired_at_millis: server.clock.now() };
    expect(outcome(answer)).toEqual({ status: 401, code: 'ACCESS_TOKEN_EXPIRED', details });
  });

  test('control 92: is refused for a token of another project', async () => {
    const { accessToken } = await server.make.user({ project: other });
    const answer = await scene.authorize({ type: 'link', token: accessToken });
    expect(outcome(answer)).toEqual({ status: 403, says: 'a sentence' });
  });

  test('control 34: a link that an impersonation session begins is refused with 403', async () => {
    const { id } = await scene.person();
    const { accessToken: token } = await scene.session(id, { is_impersonation: true });
    const answer = await scene.authorize({ type: 'link', token });
    expect(outcome(answer)).toEqual({ status: 403, says: 'a sentence' });
    expect(answer.headers.get('location')).toBeNull();
  });

  test('is refused with extra scopes for a provider with shared keys', async () => {
    const { accessToken: token } = await scene.person();
    const asked = { type: 'link', token, provider_scope: 'drive' };
    expect(outcome(await scene.authorize(asked, 'google'))).toEqual({
      status: 400,
      code: 'OAUTH_EXTRA_SCOPE_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS',
    });
    expect((await scene.authorize(asked)).status).toBe(307);
    expect((await scene.authorize({ ...asked, provider_scope: ' ' }, 'google')).status).toBe(307);
    expect((await scene.authorize({ ...asked, type: 'authenticate' }, 'google')).status).toBe(307);
  });

  test('checks the provider before the token', async () => {
    expect(outcome(await scene.authorize({ type: 'link' }, 'spotify'))).toMatchObject({
      code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED',
    });
  });
});

test('a sign-in ignores an invalid access token', async () => {
  expect((await scene.authorize({ token: 'nonsense' })).status).toBe(307);
});
