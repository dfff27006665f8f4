import { type Answered, ask, headersOf } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let secure: TestServer;

beforeAll(async () => {
  server = await openTestServer();
  secure = await openTestServer({ environment: { TESSERA_PUBLIC_URL: 'https://auth.example.com' } });
});
afterAll(() => Promise.all([server.close(), secure.close()]));

// Written out, so that an error in the table that the server reads is noticed.
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-max-age': '86400',
  'access-control-allow-headers':
    'content-type, authorization, x-stack-project-id, x-stack-branch-id, x-stack-override-error-status, x-stack-random-nonce, x-stack-client-version, x-stack-disable-artificial-development-delay, x-stack-access-type, x-stack-publishable-client-key, x-stack-secret-server-key, x-stack-super-secret-admin-key, x-stack-admin-access-token, x-stack-refresh-token, x-stack-access-token, x-stack-allow-anonymous-user, baggage, sentry-trace, x-vercel-protection-bypass, ngrok-skip-browser-warning, idempotency-key',
  'access-control-expose-headers':
    'content-type, x-stack-actual-status, x-stack-known-error, x-stack-request-id, date, retry-after, access-control-allow-headers',
};
const security = {
  'content-security-policy': '',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': '',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};
const everywhere = {
  ...cors,
  ...security,
  'x-stack-request-id': expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{16}$/),
  date: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
};
const noStore = { 'cache-control': 'no-store, max-age=0' };
const json = { 'content-type': 'application/json; charset=utf-8' };
const text = { 'content-type': 'text/plain; charset=utf-8' };

function headersIn({ headers }: Answered): Record<string, string> {
  return Object.fromEntries(headers);
}

describe('control 78: an answer has exactly the headers of the contract', () => {
  test.each<[string, string, RequestInit, number, Record<string, unknown>]>([
    ['an object', '/api/v1/projects/current', { headers: headersOf({}) }, 200, { ...noStore, ...json }],
    ['a text', '/api/v1', {}, 200, { ...noStore, ...text }],
    [
      'a known error',
      '/api/v1/users/me',
      {},
      400,
      { ...noStore, ...json, 'x-stack-known-error': 'ACCESS_TYPE_REQUIRED' },
    ],
    ['an unknown path', '/api/v1/nowhere', {}, 404, { ...noStore, ...text }],
    ['an unknown path beside the versions', '/api/nowhere', {}, 404, { ...noStore, ...text }],
    ['the root of all versions', '/api', {}, 404, { ...noStore, ...text }],
    [
      'a wrong method',
      '/api/v1/users/me',
      { method: 'PUT' },
      405,
      { ...noStore, ...text, allow: 'GET, HEAD, PATCH, DELETE, OPTIONS' },
    ],
    ['a preflight', '/api/v1/users/me', { method: 'OPTIONS' }, 200, noStore],
    ['a preflight of an unknown path', '/api/nowhere', { method: 'OPTIONS' }, 200, noStore],
    [
      'public keys',
      '/api/v1/projects/internal/.well-known/jwks.json',
      {},
      200,
      { ...json, 'cache-control': 'public, max-age=300' },
    ],
    [
      'public keys of an unknown project',
      '/api/v1/projects/11111111-1111-4111-8111-111111111111/.well-known/jwks.json',
      {},
      404,
      { ...noStore, ...text },
    ],
    [
      'a body that is too large',
      '/api/v1/users/me',
      { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(1_600_000) },
      413,
      { ...noStore, ...text },
    ],
    ['an address that is too long', `/api/v1/${'x'.repeat(17_000)}`, {}, 414, { ...noStore, ...text }],
  ])('%s', async (_, path, init, status, own) => {
    const answer = await ask(server.app, path, init);
    expect([answer.status, headersIn(answer)]).toEqual([status, { ...everywhere, ...own }]);
  });

  test('an answer with tokens has the headers of the contract', async () => {
    const user = await server.make.user();
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: user.refreshToken,
      client_id: 'internal',
      client_secret: 'pck_test_internal',
    });
    const answer = await ask(server.app, '/api/v1/auth/oauth/token', { method: 'POST', body });
    const own = { ...json, 'cache-control': 'no-store', pragma: 'no-cache' };
    expect([answer.status, headersIn(answer)]).toEqual([200, { ...everywhere, ...own }]);
  });

  test('an https answer also has strict-transport-security, inside and outside the API', async () => {
    const strict = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };
    for (const path of ['/api/v1', '/api/v1/nowhere', '/api/v1/users/me', '/', '/health', '/metrics', '/nowhere']) {
      expect(headersIn(await ask(secure.app, path)), path).toMatchObject(strict);
      expect(headersIn(await ask(server.app, path)), path).not.toHaveProperty('strict-transport-security');
    }
  });

  test('control 78: an answer never allows credentials, for any origin', async () => {
    const headers = { origin: 'https://evil.example', cookie: 'a=b' };
    const answer = await ask(server.app, '/api/v1', { headers });
    expect(headersIn(answer)).toEqual({ ...everywhere, ...noStore, ...text });
  });
});

test('control 106: the Date header is the time of the database, whatever the clock of the process says', async () => {
  const answer = await ask(server.app, '/api/v1', {});
  expect(Date.parse(answer.headers.get('date') ?? '')).toBe(Math.floor(server.clock.now() / 1000) * 1000);
});

describe('the request id', () => {
  test('differs between requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(server.app, '/api/v1')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-stack-request-id'))).size).toBe(50);
  });

  test('is never taken from the request', async () => {
    const answer = await ask(server.app, '/api/v1', { headers: { 'x-stack-request-id': '0000000000000000' } });
    expect(answer.headers.get('x-stack-request-id')).not.toBe('0000000000000000');
  });
});

describe('the status override', () => {
  const override = { 'x-stack-override-error-status': 'true' };

  test.each<[string, string, RequestInit, string, Record<string, unknown>]>([
    ['a known error', '/api/v1/users/me', {}, '400', { ...json, 'x-stack-known-error': 'ACCESS_TYPE_REQUIRED' }],
    ['an unknown path', '/api/v1/nowhere', {}, '404', text],
    ['a wrong method', '/api/v1/auth/password/sign-in', { method: 'GET' }, '405', { ...text, allow: 'POST, OPTIONS' }],
    ['an address that is too long', `/api/v1/${'x'.repeat(17_000)}`, {}, '414', text],
  ])(
    'changes the status of %s to 200, and keeps the body and the true status in a header',
    async (_, path, init, status, own) => {
      const plain = await ask(server.app, path, init);
      const answer = await ask(server.app, path, { ...init, headers: override });
      const expected = { ...everywhere, ...noStore, ...own, 'x-stack-actual-status': status };
      expect([answer.status, answer.text, headersIn(answer)]).toEqual([200, plain.text, expected]);
    },
  );

  test.each(['', 'false', '0', 'anything'])('is switched on by any value: %j', async value => {
    const headers = { 'x-stack-override-error-status': value };
    const answer = await ask(server.app, '/api/v1/users/me', { headers });
    expect([answer.status, answer.headers.get('x-stack-actual-status')]).toEqual([200, '400']);
  });

  test('does not change a successful answer', async () => {
    const answer = await ask(server.app, '/api/v1', { headers: override });
    expect([answer.status, headersIn(answer)]).toEqual([200, { ...everywhere, ...noStore, ...text }]);
  });

  test('does not change an answer outside the API', async () => {
    const answer = await ask(server.app, '/nowhere', { headers: override });
    expect([answer.status, answer.headers.get('x-stack-actual-status')]).toEqual([404, null]);
  });
});

describe('the body of an answer', () => {
  test('has three members in this order, indented, for a known error', async () => {
    const headers = { 'x-stack-access-type': 'client' };
    const answer = await ask(server.app, '/api/v1/users/me', { headers });
    const sentence = expect.stringMatching(/^\S.*\S$/s);
    expect(answer.json).toEqual({
      code: 'ACCESS_TYPE_WITHOUT_PROJECT_ID',
      details: { request_type: 'client' },
      error: sentence,
    });
    expect(answer.text).toBe(JSON.stringify(answer.json, null, 2));
    expect(Object.keys(answer.json as object)).toEqual(['code', 'details', 'error']);
  });

  test('has no member `details` for an error without details', async () => {
    const answer = await ask(server.app, '/api/v1/users/me');
    expect(Object.keys(answer.json as object)).toEqual(['code', 'error']);
  });

  test.each([
    ['text/html', true],
    ['text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['application/json', false],
    ['*/*', false],
  ])('with accept %s an object is indented: %s', async (accept, isIndented) => {
    const headers = headersOf({ headers: { accept } });
    const { text: body, json: value } = await ask(server.app, '/api/v1/projects/current', { headers });
    expect(body).toBe(JSON.stringify(value, null, isIndented ? 2 : undefined));
  });
});
