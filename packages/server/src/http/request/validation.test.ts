import { endpoint, userIdOrMe } from '@tessera/protocol';
import { type Answered, ask, type CallOptions, headersOf } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { serveEndpoint } from '../../test/serve-endpoint.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const thing = z.strictObject({
  name: z.string().max(70),
  code: z.string().length(45).optional(),
  count: z.number().int().min(1).max(10).optional(),
  ratio: z.number().optional(),
  open: z.boolean().optional(),
  kind: z.enum(['red', 'green']).optional(),
  note: z.string().nullable().optional(),
  tags: z.array(z.string()).max(2).optional(),
  inner: z.strictObject({ deep: z.array(z.strictObject({ id: z.string() })).optional() }).optional(),
});
const things = endpoint({
  method: 'POST',
  path: '/things',
  access: 'none',
  largeBody: true,
  query: z.strictObject({ limit: z.number().int().min(1).optional(), q: z.string().optional() }),
  body: thing,
  response: z.unknown(),
  summary: 'Make a thing',
  tag: 'Service',
  errors: [],
});

const make = (options: CallOptions) =>
  serveEndpoint(server, things, ({ body, query }) => ({ body, query }))({ level: null, ...options });

/** The bullet lines of a schema error. */
function bullets({ status, headers, json }: Answered): unknown {
  const { details, error } = z.object({ details: z.object({ message: z.string() }), error: z.string() }).parse(json);
  expect([status, headers.get('x-stack-known-error'), details.message]).toEqual([400, 'SCHEMA_ERROR', error]);
  const [, ...lines] = error.split('\n');
  return lines.map(line => line.replace(/^ {2}- /, ''));
}

describe('a valid request', () => {
  test.each<[string, CallOptions, unknown]>([
    ['is passed to the handler unchanged', { body: { name: 'a' } }, { body: { name: 'a' }, query: {} }],
    [
      'is accepted with null where null is allowed',
      { body: { name: '', note: null } },
      { body: { name: '', note: null }, query: {} },
    ],
    [
      'is passed to the handler with converted scalars',
      { body: { name: 7, count: '3', ratio: '0.5', open: 'true', note: false }, query: { limit: '5' } },
      { body: { name: '7', count: 3, ratio: 0.5, open: true, note: 'false' }, query: { limit: 5 } },
    ],
  ])('%s', async (_, options, expected) => {
    expect(outcome(await make(options))).toEqual({ status: 200, body: expected });
  });

  test('is accepted as a form', async () => {
    const body = new URLSearchParams({ email: 'unknown@example.com', password: 'correct horse' });
    const headers = headersOf({});
    const answer = await ask(server.app, '/api/v1/auth/password/sign-in', { method: 'POST', headers, body });
    expect(outcome(answer)).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
  });
});

describe('the message of a violation', () => {
  test.each<[unknown, string]>([
    [{}, 'body.name must be defined'],
    [{ name: null }, 'body.name cannot be null'],
    [{ name: {} }, 'body.name must be a `string` type'],
    [{ name: ['a'] }, 'body.name must be a `string` type'],
    [{ name: 'x'.repeat(71) }, 'body.name must be at most 70 characters'],
    [{ name: 'a', code: 'x'.repeat(44) }, 'body.code must be exactly 45 characters'],
    [{ name: 'a', code: 'x'.repeat(46) }, 'body.code must be exactly 45 characters'],
    [{ name: 'a', count: 11 }, 'body.count must be less than or equal to 10'],
    [{ name: 'a', count: 0 }, 'body.count must be greater than or equal to 1'],
    [{ name: 'a', count: 1.5 }, 'body.count must be an integer'],
    [{ name: 'a', count: 'many' }, 'body.count must be a `number` type'],
    [{ name: 'a', ratio: true }, 'body.ratio must be a `number` type'],
    [{ name: 'a', open: 'yes' }, 'body.open must be a `boolean` type'],
    [{ name: 'a', open: null }, 'body.open cannot be null'],
    [{ name: 'a', kind: 'blue' }, 'body.kind must be one of the following values: red, green'],
    [{ name: 'a', kind: null }, 'body.kind cannot be null'],
    [{ name: 'a', note: {} }, 'body.note must be a `string` type'],
    [{ name: 'a', tags: 'a' }, 'body.tags must be a `array` type'],
    [{ name: 'a', tags: ['a', null] }, 'body.tags[1] cannot be null'],
    [{ name: 'a', tags: ['a', 'b', 'c'] }, 'body.tags must be at most 2 items'],
    [{ name: 'a', stranger: 1 }, 'body contains unknown properties: stranger'],
    [{ name: 'a', b: 1, c: 2 }, 'body contains unknown properties: b, c'],
    [{ name: 'a', inner: { x: 1 } }, 'body.inner contains unknown properties: x'],
    [
      { name: 'a', inner: { deep: [{ id: 'i' }, { id: 'i', y: 1 }] } },
      'body.inner.deep[1] contains unknown properties: y',
    ],
    [{ name: 'a', inner: { deep: [{}] } }, 'body.inner.deep[0].id must be defined'],
    [JSON.parse('{"name":"a","__proto__":{"x":1}}'), 'body contains unknown properties: __proto__'],
    [{ name: 'a', constructor: 1, toString: 2 }, 'body contains unknown properties: constructor, toString'],
    [undefined, 'body must be defined'],
    [null, 'body cannot be null'],
    ['text', 'body must be a `object` type'],
    [7, 'body must be a `object` type'],
    [[{ name: 'a' }], 'body must be a `object` type'],
  ])('%j: %s', async (body, bullet) => {
    expect(bullets(await make({ body }))).toEqual([bullet]);
  });

  test('control 79: is cut when it has a megabyte of unknown properties', async () => {
    const { accessToken } = await server.make.user();
    const body = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`${index}`.repeat(300), 0]));
    const answer = await server.call('PATCH /users/me', { accessToken, body });
    expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    expect(answer.text.length).toBeLessThan(6_000);
  });

  test('control 79: names the first 100 of 300,000 violations and counts the others', async () => {
    const answer = await make({ body: { name: 'a', inner: { deep: Array(300_000).fill(1) } } });
    const first = Array.from({ length: 100 }, (_, at) => `body.inner.deep[${at}] must be a \`object\` type`);
    expect(bullets(answer)).toEqual([...first, 'body has 299900 more violations']);
  });

  test.each([[], [1, 2, 3]])('bytes are refused where an object is declared: %j', async (...bytes) => {
    const { accessToken } = await server.make.user();
    const headers = headersOf({ accessToken, headers: { 'content-type': 'application/octet-stream' } });
    const request = { method: 'PATCH', headers, body: new Uint8Array(bytes) };
    expect(bullets(await ask(server.app, '/api/v1/users/me', request))).toEqual(['body must be a `object` type']);
  });

  test.each<[Record<string, string>, string]>([
    [{ limit: '0' }, 'query.limit must be greater than or equal to 1'],
    [{ limit: '' }, 'query.limit must be a `number` type'],
    [{ limit: '1.5' }, 'query.limit must be an integer'],
    [{ a: '1', b: '2' }, 'query contains unknown properties: a, b'],
    [{ __proto__x: '1' }, 'query contains unknown properties: __proto__x'],
    [Object.fromEntries([['__proto__', '1']]), 'query contains unknown properties: __proto__'],
  ])('query %j: %s', async (query, bullet) => {
    expect(bullets(await make({ body: { name: 'a' }, query }))).toEqual([bullet]);
  });

  test.each<[string, object, string[]]>([
    ['an address', { email: 'a@b@c', password: 'correct horse' }, ['body.email must be a valid email']],
    [
      'a page',
      { email: 'a@example.com', password: 'correct horse', verification_callback_url: '/verify' },
      ['body.verification_callback_url is not a valid URL'],
    ],
    [
      'a page with a long address',
      {
        email: 'a@example.com',
        password: 'correct horse',
        verification_callback_url: `https://example.com/?${'a'.repeat(16_384)}`,
      },
      ['body.verification_callback_url must be at most 16384 characters'],
    ],
    [
      'a page with blanks',
      { email: 'a@example.com', password: 'correct horse', verification_callback_url: 'http://localhost/a b' },
      ['body.verification_callback_url contains spaces'],
    ],
    [
      'a password',
      { email: 'a@example.com', password: 'x'.repeat(71), verification_callback_url: 'http://localhost/' },
      ['body.password must be at most 70 characters'],
    ],
  ])('%s', async (_, body, expected) => {
    const route = 'verification_callback_url' in body ? 'POST /auth/password/sign-up' : 'POST /auth/password/sign-in';
    expect(bullets(await server.call(route, { body }))).toEqual(expected);
  });
});

test('all violations are reported at once, those of the query before those of the body', async () => {
  const body = { name: null, count: 11, inner: { x: 1 }, stranger: 1 };
  expect(bullets(await make({ body, query: { limit: '0', a: '1' } }))).toEqual([
    'query.limit must be greater than or equal to 1',
    'query contains unknown properties: a',
    'body.name cannot be null',
    'body.count must be less than or equal to 10',
    'body.inner contains unknown properties: x',
    'body contains unknown properties: stranger',
  ]);
});

test('the first line contains method and path as the caller wrote them', async () => {
  const headers = headersOf({});
  const heading = async (path: string) => {
    const { json } = await ask(server.app, path, { headers });
    return z.object({ error: z.string() }).parse(json).error.split('\n')[0];
  };
  expect(await heading('/api/v1/users/me?a=1')).toMatch(/GET \/api\/v1\/users\/me\b/);
  expect(await heading('/api/latest/users/me?a=1')).toMatch(/GET \/api\/latest\/users\/me\b/);
});

describe('control 90: input that an endpoint does not declare', () => {
  test.each(['GET /users/me', 'GET /projects/current'] as const)('%s refuses any query', async route => {
    expect(bullets(await server.call(route, { query: { a: '1' } }))).toEqual(['query contains unknown properties: a']);
  });

  test('a body is ignored when the endpoint declares none', async () => {
    const ada = await server.make.user();
    const body = { anything: ['at', 'all'] };
    const { accessToken, refreshToken } = ada;
    const refreshed = await server.call('POST /auth/sessions/current/refresh', { refreshToken, body });
    const signedOut = await server.call('DELETE /auth/sessions/current', { accessToken, body });
    expect([refreshed.status, signedOut.status]).toEqual([200, 200]);
  });

  test('a query is ignored when the endpoint declares none', async () => {
    const query = { anything: 'at all' };
    expect((await server.call('GET /openapi.json', { query })).status).toBe(200);
  });

  test('a field of a higher level is refused as unknown at a lower level', async () => {
    const { accessToken } = await server.make.user();
    const body = { server_metadata: {}, primary_email_verified: true };
    expect(bullets(await server.call('PATCH /users/me', { accessToken, body }))).toEqual([
      'body contains unknown properties: server_metadata, primary_email_verified',
    ]);
    expect((await server.call('PATCH /users/me', { level: 'server', accessToken, body })).status).toBe(200);
    expect((await server.call('PATCH /users/me', { level: 'admin', accessToken, body })).status).toBe(200);
  });
});

describe('the user of a request', () => {
  const required = endpoint({ ...things, user: 'required', query: z.strictObject({}) });
  const named = endpoint({
    method: 'GET',
    path: '/things/{user_id}',
    access: 'server',
    params: z.strictObject({ user_id: userIdOrMe }),
    response: z.unknown(),
    summary: 'Read a thing',
    tag: 'Service',
    errors: [],
  });
  const inBody = endpoint({
    ...things,
    access: 'client',
    body: z.strictObject({ user_id: userIdOrMe.optional() }),
    query: z.strictObject({ user_id: userIdOrMe.optional() }),
  });
  const withoutUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };

  test('is reported as one violation among others when it is required and missing', async () => {
    const answer = await serveEndpoint(server, required, ({ user }) => user.id)({ body: {} });
    expect(bullets(answer)).toEqual(['auth.user must be defined', 'body.name must be defined']);
  });

  test('is passed to the handler when it is required', async () => {
    const { accessToken, userId } = await server.make.user();
    const answer = await serveEndpoint(server, required, ({ user }) => user.id)({ accessToken, body: { name: 'a' } });
    expect(outcome(answer)).toEqual({ status: 200, body: userId });
  });

  test('is required by `me` in a path, before the access type is checked', async () => {
    const read = serveEndpoint(server, named, () => 'here');
    const params = { user_id: 'me' };
    const answers = await Promise.all([
      read({ level: null, params }),
      read({ level: 'client', params }),
      read({ level: 'server', params }),
    ]);
    expect(answers.map(outcome)).toEqual([withoutUser, withoutUser, withoutUser]);
  });

  test('is required by `me` in a body or a query', async () => {
    const write = serveEndpoint(server, inBody, () => 'here');
    const answers = await Promise.all([
      write({ body: { user_id: 'me' } }),
      write({ body: {}, query: { user_id: 'me' } }),
    ]);
    expect(answers.map(outcome)).toEqual([withoutUser, withoutUser]);
  });

  test.each(['Me', 'myself', '', '3241a285-8329-6d69-8f3d-316e08cf140c'])(
    'the user id %j is refused',
    async user_id => {
      const answer = await serveEndpoint(server, named, () => 'here')({ level: 'server', params: { user_id } });
      expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    },
  );
});
