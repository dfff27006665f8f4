import { aSecret, aToken, outcome, stableHeaders } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import type { TestServer } from '../../../test/harness.ts';
import { attemptCodeOf, totpOf } from '../../sign-in/totp.fixtures.ts';
import {
  appCallback,
  aVerifier,
  challengeOf,
  type FakeGithubUser,
  newGithubUser,
  type OAuthScene,
  openGithubServer,
  openOAuthScene,
} from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer();
  scene = await openOAuthScene(server);
});
afterAll(() => server.close());

const answered = (isNewUser: boolean, afterCallbackRedirectUrl: string | null = null) => ({
  status: 200,
  body: {
    access_token: aToken,
    refresh_token: aSecret,
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'legacy',
    is_new_user: isNewUser,
    newUser: isNewUser,
    after_callback_redirect_url: afterCallbackRedirectUrl,
    afterCallbackRedirectUrl,
  },
});
const invalidCode = { status: 400, code: 'INVALID_AUTHORIZATION_CODE' };
const invalidClient = { status: 400, code: 'INVALID_OAUTH_CLIENT_ID_OR_SECRET', details: { client_id: null } };
const invalidRequest = {
  status: 400,
  body: { error: 'invalid_request', error_description: expect.any(String) },
};
const accessToken = z.object({ access_token: z.string() });
const refreshToken = z.object({ refresh_token: z.string() });

describe('the code exchange', () => {
  test('returns exactly these keys, with no-store', async () => {
    const person = newGithubUser();
    const answer = await scene.exchange(await scene.code(person));
    expect(outcome(answer)).toEqual(answered(true));
    expect(stableHeaders(answer.headers)).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(outcome(await scene.exchange(await scene.code(person)))).toEqual(answered(false));
  });

  test('is refused for a suspended user', async () => {
    const person = newGithubUser();
    const { user } = await scene.signIn(person);
    const params = { user_id: user.id };
    await scene.call('PUT /extensions/users/{user_id}/suspension', { level: 'server', params, body: {} });
    expect(outcome(await scene.exchange(await scene.code(person)))).toEqual({ status: 403, code: 'USER_SUSPENDED' });
  });

  test('accepts a form', async () => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: await scene.code(newGithubUser()),
      redirect_uri: appCallback,
      code_verifier: aVerifier,
      client_id: scene.project.id,
      client_secret: scene.project.publishableClientKey,
      more: 'is ignored',
    });
    const request = new Request('http://localhost:4280/api/v1/auth/oauth/token', { method: 'POST', body });
    const response = await server.app(request);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(answered(true).body);
  });

  test.each(['/dashboard', 'https://shop.example/after?x=1', 'any string', '//example.com'])(
    'returns the after-callback URL unchanged: %s',
    async after_callback_redirect_url => {
      const answer = await scene.exchange(await scene.code(newGithubUser(), { after_callback_redirect_url }));
      expect(outcome(answer)).toEqual(answered(true, after_callback_redirect_url));
    },
  );

  test('opens a session of 365 days that refreshes', async () => {
    const { json } = await scene.exchange(await scene.code(newGithubUser()));
    const session = { refreshToken: refreshToken.parse(json).refresh_token };
    expect(await scene.isLive(session)).toBe(true);
    server.clock.advance(365 * 24 * 3600 * 1000 - 1);
    expect(await scene.isLive(session)).toBe(true);
    server.clock.advance(1);
    expect(await scene.isLive(session)).toBe(false);
  });

  test('the client_id may name the branch, and with a verifier the secret may be missing', async () => {
    const fields = { client_id: `${scene.project.id}#main`, client_secret: undefined };
    const answer = await scene.exchange(await scene.code(newGithubUser()), fields);
    expect(outcome(answer)).toEqual(answered(true));
  });

  test('an empty secret counts as omitted beside a verifier, and so does an empty scope (RFC 6749 section 3.2)', async () => {
    const fields = { client_secret: '', scope: '', refresh_token: '' };
    const answer = await scene.exchange(await scene.code(newGithubUser()), fields);
    expect(outcome(answer)).toEqual(answered(true));
  });

  test('the redirect URI is compared without its fragment', async () => {
    const code = await scene.code(newGithubUser(), { redirect_uri: `${appCallback}?a=b#c` });
    const answer = await scene.exchange(code, { redirect_uri: `${appCallback}?a=b` });
    expect(outcome(answer)).toEqual(answered(true));
  });
});

describe('a refused exchange that keeps the code', () => {
  test.each<[string, () => Record<string, unknown>, object]>([
    ['an unknown client', () => ({ client_id: '11111111-1111-4111-8111-111111111111' }), invalidClient],
    ['no client', () => ({ client_id: undefined }), invalidClient],
    ['another branch', () => ({ client_id: `${scene.project.id}#other` }), invalidClient],
    ['a wrong secret', () => ({ client_secret: 'pck_wrong' }), invalidClient],
    ['the server key', () => ({ client_secret: scene.project.secretServerKey }), invalidClient],
    ['neither secret nor verifier', () => ({ client_secret: undefined, code_verifier: undefined }), invalidClient],
    ['an empty secret and an empty verifier', () => ({ client_secret: '', code_verifier: '' }), invalidClient],
    ['no code', () => ({ code: undefined }), invalidRequest],
    ['an empty code', () => ({ code: '' }), invalidRequest],
    ['a code that is not printable', () => ({ code: 'a\nb' }), invalidRequest],
    ['an unknown code', () => ({ code: '0'.repeat(64) }), invalidCode],
    ['any other code', () => ({ code: 'x' }), invalidCode],
    ['no verifier', () => ({ code_verifier: undefined }), invalidCode],
    ['an empty verifier', () => ({ code_verifier: '' }), invalidCode],
    ['another verifier', () => ({ code_verifier: aVerifier.replace('a', 'b') }), invalidCode],
    ['the challenge itself', () => ({ code_verifier: challengeOf(aVerifier) }), invalidCode],
  ])('%s', async (_, change, expected) => {
    const code = await scene.code(newGithubUser());
    expect(outcome(await scene.exchange(code, change()))).toEqual(expected);
    expect(outcome(await scene.exchange(code))).toEqual(answered(true));
  });

  test('control 92: a code of another project', async () => {
    const code = await scene.code(newGithubUser());
    const elsewhere = await openOAuthScene(server);
    expect(outcome(await elsewhere.exchange(code))).toEqual(invalidCode);
    expect(outcome(await scene.exchange(code))).toEqual(answered(true));
  });

  test('an OAuth error has no known-error header', async () => {
    const answer = await scene.exchange('', { code: undefined });
    expect(answer.headers.get('x-stack-known-error')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('control 49: the PKCE verifier', () => {
  test.each([
    [42, invalidCode],
    [43, answered(true)],
    [128, answered(true)],
    [129, invalidCode],
  ])('of %d characters', async (length, expected) => {
    const verifier = 'v'.repeat(length);
    const code = await scene.code(newGithubUser(), { code_challenge: challengeOf(verifier) });
    expect(outcome(await scene.exchange(code, { code_verifier: verifier }))).toEqual(expected);
  });

  test('has only the characters of RFC 7636', async () => {
    const verifier = `${'v'.repeat(43)}+`;
    const code = await scene.code(newGithubUser(), { code_challenge: challengeOf(verifier) });
    expect(outcome(await scene.exchange(code, { code_verifier: verifier }))).toEqual(invalidCode);
  });
});

describe('control 50: the authorization code', () => {
  test('has 64 hexadecimal digits, and is stored as a hash', async () => {
    const code = await scene.code(newGithubUser());
    expect(code).toMatch(/^[0-9a-f]{64}$/);
    const rows = await server.deps.db.query<{ row: string }>(sql`
      select oauth_authorization_codes::text as row from oauth_authorization_codes where project_id = ${scene.project.id}
    `);
    expect(rows).not.toEqual([]);
    for (const { row } of rows) expect(row).not.toContain(code);
  });

  test('expires after a minute', async () => {
    const [early, late] = [await scene.code(newGithubUser()), await scene.code(newGithubUser())];
    server.clock.advance(59_999);
    expect(outcome(await scene.exchange(early))).toEqual(answered(true));
    server.clock.advance(1);
    expect(outcome(await scene.exchange(late))).toEqual(invalidCode);
  });

  test('a second use is refused, and revokes the session of the first', async () => {
    const code = await scene.code(newGithubUser());
    const session = { refreshToken: refreshToken.parse((await scene.exchange(code)).json).refresh_token };
    expect(await scene.isLive(session)).toBe(true);
    expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
    expect(await scene.isLive(session)).toBe(false);
  });

  test('a second use revokes also when it is late, or without the verifier', async () => {
    for (const [delayMs, fields] of [
      [3_600_000, {}],
      [0, { code_verifier: 'x'.repeat(43) }],
    ] as const) {
      const code = await scene.code(newGithubUser());
      const session = { refreshToken: refreshToken.parse((await scene.exchange(code)).json).refresh_token };
      server.clock.advance(delayMs);
      expect(outcome(await scene.exchange(code, fields))).toEqual(invalidCode);
      expect(await scene.isLive(session)).toBe(false);
    }
  });

  test('of 100 concurrent uses one succeeds, and no session is left', async () => {
    const person = newGithubUser();
    const { user } = await scene.signIn(person);
    const before = await scene.sessionsOf(user.id);
    const code = await scene.code(person);
    const answers = await Promise.all(Array.from({ length: 100 }, () => scene.exchange(code)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(99).fill(400)]);
    expect(await scene.sessionsOf(user.id)).toBe(before);
  });

  test.each([`${appCallback}/`, 'http://localhost:3000/', 'https://evil.example/', 'x:'])(
    'is spent by another redirect URI: %s',
    async redirect_uri => {
      const code = await scene.code(newGithubUser());
      const answer = await scene.exchange(code, { redirect_uri });
      expect(outcome(answer)).toEqual({ status: 400, code: 'REDIRECT_URL_NOT_WHITELISTED' });
      expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
    },
  );

  test('is spent when the project has removed the domain of its redirect URI', async () => {
    const own = await openOAuthScene(server);
    const code = await own.code(newGithubUser());
    await own.configure({ allowLocalhost: false });
    expect(outcome(await own.exchange(code))).toEqual({ status: 400, code: 'REDIRECT_URL_NOT_WHITELISTED' });
    await own.configure({ allowLocalhost: true });
    expect(outcome(await own.exchange(code))).toEqual(invalidCode);
  });

  test.each([undefined, '', 'localhost/x', '/handler'])('is spent by a malformed redirect URI: %j', async uri => {
    const code = await scene.code(newGithubUser());
    expect(outcome(await scene.exchange(code, { redirect_uri: uri }))).toEqual(invalidRequest);
    expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
  });

  test('of a deleted user is refused', async () => {
    const person = newGithubUser();
    const { user } = await scene.signIn(person);
    const code = await scene.code(person);
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: user.id } });
    expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
  });
});

describe('control 61: a code exchange of a user with a second factor', () => {
  async function withTotp(person: FakeGithubUser): Promise<string> {
    const { user } = await scene.signIn(person);
    const body = { totp_secret_base64: totpOf.secretBase64 };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: user.id }, body });
    return user.id;
  }

  const signInByTotp = (code: string) =>
    scene.call('POST /auth/mfa/sign-in', { body: { code, type: 'totp', totp: totpOf.now(server.clock.now()) } });

  test('requires the second factor before it opens a session', async () => {
    const person = newGithubUser();
    const userId = await withTotp(person);
    const before = await scene.sessionsOf(userId);
    const code = await scene.code(person);
    const answer = await scene.exchange(code);
    expect(outcome(answer)).toEqual({
      status: 400,
      code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
      details: { attempt_code: aSecret },
    });
    expect(await scene.sessionsOf(userId)).toBe(before);
    const attemptCode = attemptCodeOf(answer.json);
    expect(await signInByTotp(attemptCode)).toMatchObject({ status: 200, body: { is_new_user: false } });
  });

  test('an attempt that began with a provider is refused when the provider is switched off', async () => {
    const own = await openOAuthScene(server, { credentialEnabled: true });
    const person = newGithubUser();
    const { accessToken, user } = await own.signIn(person);
    await own.call('PATCH /users/me', { accessToken, body: { totp_secret_base64: totpOf.secretBase64 } });
    const code = attemptCodeOf((await own.exchange(await own.code(person))).json);
    await own.configure({ oauthProviders: [] });
    const body = { code, type: 'totp', totp: totpOf.now(server.clock.now()) };
    expect(await own.call('POST /auth/mfa/sign-in', { body })).toEqual({
      status: 404,
      code: 'VERIFICATION_CODE_NOT_FOUND',
    });
    expect(await own.sessionsOf(user.id)).toBe(1);
  });

  test('control 50: a second use of the code revokes the attempt', async () => {
    const person = newGithubUser();
    await withTotp(person);
    const code = await scene.code(person);
    const attemptCode = attemptCodeOf((await scene.exchange(code)).json);
    expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
    expect(await signInByTotp(attemptCode)).toEqual({ status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' });
  });

  test('control 50: a second use of the code revokes the session that the attempt has opened', async () => {
    const person = newGithubUser();
    const userId = await withTotp(person);
    const before = await scene.sessionsOf(userId);
    const code = await scene.code(person);
    const attemptCode = attemptCodeOf((await scene.exchange(code)).json);
    expect(await signInByTotp(attemptCode)).toMatchObject({ status: 200 });
    expect(await scene.sessionsOf(userId)).toBe(before + 1);
    expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
    expect(await scene.sessionsOf(userId)).toBe(before);
  });
});

test('control 36: each sign-in opens a new session', async () => {
  const person = newGithubUser();
  const [one, two] = [await scene.signIn(person), await scene.signIn(person)];
  expect(one.refreshToken).not.toBe(two.refreshToken);
  expect(one.user.id).toBe(two.user.id);
});

test('project headers are optional, and validated when they are sent', async () => {
  const headers = {
    'x-stack-access-type': 'client',
    'x-stack-project-id': scene.project.id,
    'x-stack-publishable-client-key': 'pck_wrong',
  };
  const body = { grant_type: 'authorization_code', code: 'x' };
  const answer = await server.call('POST /auth/oauth/token', { level: null, body, headers });
  expect(outcome(answer)).toMatchObject({ status: 401, code: 'INVALID_PUBLISHABLE_CLIENT_KEY' });
});

test('a number passes as text, and is an unknown code', async () => {
  const body = {
    grant_type: 'authorization_code',
    code: 123,
    client_id: scene.project.id,
    redirect_uri: 1,
    code_verifier: 1,
  };
  const answer = await server.call('POST /auth/oauth/token', { level: null, body });
  expect(outcome(answer)).toMatchObject({ status: 400, code: 'INVALID_AUTHORIZATION_CODE' });
});

test('the access token verifies with our keys', async () => {
  const { json } = await scene.exchange(await scene.code(newGithubUser({ name: 'Grace' })));
  const answer = await scene.call('GET /users/me', { accessToken: accessToken.parse(json).access_token });
  expect(answer).toMatchObject({ status: 200, body: { display_name: 'Grace' } });
});
