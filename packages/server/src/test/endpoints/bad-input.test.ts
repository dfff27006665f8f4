import { randomBytes } from 'node:crypto';
import { atLevel, type Endpoint, endpoints, type Route } from '@tessera/protocol';
import { ask, type CallOptions, headersOf } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../harness.ts';
import type { SignedUp } from '../make.ts';
import { authorizationRows, rowsConfig } from './authorization-rows.ts';

let server: TestServer;
let ada: SignedUp;
beforeAll(async () => {
  // A faster hash: this test is not about hashing.
  const passwords = { hash: async () => 'hash', matches: async () => false, needsRehash: () => false };
  server = await openTestServer({ passwords });
  ada = await server.make.user();
});
afterAll(() => server.close());

const stackTrace = /\n\s+at |node:internal|\.ts:\d+/;

/** A base64url part of a token with any content. */
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (header: object, payload: object) =>
  `${part({ alg: 'ES256', kid: 'abcdefghijkl', ...header })}.${part(payload)}.AAAA`;
const subject = { iss: 'x', sub: '3241a285-8329-4d69-8f3d-316e08cf140c', exp: 9_999_999_999 };

describe('control 82: text that PostgreSQL cannot store is refused in every position', () => {
  const client = { 'x-stack-access-type': 'client', 'x-stack-publishable-client-key': 'pck_test_internal' };

  test.each<[string, Record<string, string>]>([
    ['a NUL as the project of an access token', { 'x-stack-access-token': unsigned({}, { ...subject, aud: '\0' }) }],
    [
      'a NUL as the key of an access token',
      { 'x-stack-access-token': unsigned({ kid: '\0' }, { ...subject, aud: 'internal' }) },
    ],
    [
      'half a surrogate pair as the project of an access token',
      { 'x-stack-access-token': unsigned({}, { ...subject, aud: '\ud800' }) },
    ],
    [
      'a long text as the project of an access token',
      { 'x-stack-access-token': unsigned({}, { ...subject, aud: 'x'.repeat(2_000) }) },
    ],
    [
      'a NUL as the project of an admin token',
      { 'x-stack-admin-access-token': unsigned({}, { ...subject, aud: '\0' }) },
    ],
    ['non-ASCII characters as a key', { 'x-stack-publishable-client-key': 'pck_\xff\xfe' }],
    ['non-ASCII characters as a project', { 'x-stack-project-id': '\xc3\xa9' }],
    ['a long project', { 'x-stack-project-id': 'x'.repeat(20_000) }],
    ['a long branch', { 'x-stack-branch-id': 'x'.repeat(20_000) }],
    ['a long key', { 'x-stack-publishable-client-key': 'x'.repeat(20_000) }],
    ['a long access token', { 'x-stack-access-token': 'x'.repeat(20_000) }],
    ['a long version', { 'x-stack-client-version': `js @stackframe/stack@${'1.'.repeat(10_000)}` }],
  ])('%s', async (_, headers) => {
    const all = { ...client, 'x-stack-project-id': 'internal', ...headers };
    const { status, text } = await ask(server.app, '/api/v1/projects/current', { headers: all });
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(stackTrace);
  });

  test.each([
    '/api/v1/projects/%00/.well-known/jwks.json',
    '/api/v1/users/me?a=%00',
    '/api/v1/users/me?%00=1',
    '/api/v1/users/%00',
    '/api/v1/users/%ED%A0%80',
    '/api/v1/users?query=%00',
    '/api/v1/users?cursor=%00',
    '/api/v1/auth/sessions?user_id=%00',
  ])('%s', async path => {
    const { status, text } = await ask(server.app, path, { headers: headersOf({ level: 'server' }) });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(stackTrace);
  });
});

describe('control 81: keys with a meaning in JavaScript are treated as data', () => {
  const hostile =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"prototype":{"polluted":3},"toString":4}';

  test('in metadata they are returned unchanged, and no other object changes', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const headers = headersOf({ accessToken: ada.accessToken, headers: { 'content-type': 'application/json' } });
    const body = `{"client_metadata":${hostile}}`;
    const written = await ask(server.app, '/api/v1/users/me', { method: 'PATCH', headers, body });
    const read = await server.call('GET /users/me', { accessToken: ada.accessToken });
    for (const { text } of [written, read]) expect(text).toContain(`"client_metadata":${hostile}`);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(['{"__proto__":{"display_name":"x"}}', '{"constructor":1}', '{"display_name":"x","__proto__":null}'])(
    'beside the fields of a body they are unknown: %s',
    async body => {
      const headers = headersOf({ accessToken: ada.accessToken, headers: { 'content-type': 'application/json' } });
      const answer = await ask(server.app, '/api/v1/users/me', { method: 'PATCH', headers, body });
      expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    },
  );

  test('in a form and in a query they are refused', async () => {
    const headers = headersOf({ headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    const form = await ask(server.app, '/api/v1/auth/password/sign-in', {
      method: 'POST',
      headers,
      body: '__proto__=1&email=a&password=b',
    });
    const query = await ask(server.app, '/api/v1/users/me?__proto__=1', { headers: headersOf({}) });
    expect([form, query].map(outcome)).toMatchObject([{ code: 'SCHEMA_ERROR' }, { code: 'SCHEMA_ERROR' }]);
    expect(form.json).toMatchObject({ error: expect.stringContaining('body contains unknown properties: __proto__') });
  });
});

/** Values that are invalid for almost every field. */
const wrongValues: unknown[] = [
  null,
  [],
  {},
  '',
  0,
  -1,
  1e308,
  true,
  'x'.repeat(100_000),
  // Random data does not compress: an index could not store it.
  randomBytes(20_000).toString('hex'),
  [[[[]]]],
  { $ne: null },
  "'; drop table users; --",
  '%',
  '\\',
  '../../etc/passwd',
  '00000000-0000-0000-0000-000000000000',
  '9'.repeat(400),
  '\u202e\ufeff\u200b',
];

describe('a single wrong value never causes a server error', () => {
  const table = endpoints.map(endpoint => [`${endpoint.method} ${endpoint.path}` as Route, endpoint] as const);

  test.each(table)('%s', async (route, endpoint) => {
    // A separate user, because the endpoint may delete it.
    const project = await server.make.project(rowsConfig);
    const user = await server.make.user({ project });
    const good = (await authorizationRows[route]?.request?.({ server, project, ada: user })) ?? {};
    for (const changed of variants(good, endpoint)) {
      const options = { project, level: endpoint.access === 'admin' ? 'admin' : 'server' } as const;
      const answer = await server.call(route, { ...options, accessToken: user.accessToken, ...changed });
      expect(answer.status, JSON.stringify(changed).slice(0, 200)).toBeLessThan(500);
      expect(answer.text).not.toMatch(stackTrace);
    }
  });
});

interface Parts {
  readonly params?: Record<string, string> | undefined;
  readonly query?: CallOptions['query'];
  readonly body?: unknown;
}

/** The valid request with one wrong value, for each position. */
function* variants(good: Parts, endpoint: Endpoint): Generator<Parts> {
  for (const value of wrongValues) {
    if (endpoint.body !== undefined) yield { ...good, body: value };
    for (const key of bodyKeys(endpoint))
      yield { ...good, body: { ...(good.body as object | undefined), [key]: value } };
    for (const key of Object.keys(good.params ?? {}))
      yield { ...good, params: { ...good.params, [key]: String(value) } };
    for (const key of queryKeys(endpoint)) yield { ...good, query: { ...good.query, [key]: String(value) } };
  }
}

/** Includes the optional keys that a valid request omits. */
function bodyKeys({ body }: Endpoint): string[] {
  const schema = body === undefined ? undefined : atLevel<z.ZodType>(body, 'admin');
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function queryKeys({ query }: Endpoint): string[] {
  return query === undefined ? [] : Object.keys(atLevel(query, 'admin').shape);
}
