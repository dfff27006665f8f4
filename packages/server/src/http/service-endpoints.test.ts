import { dereference, validate } from '@readme/openapi-parser';
import { endpoints, type SvixEndpoint, svixEndpoints } from '@tessera/protocol';
import { ask } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../test/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

describe('the root of the API', () => {
  test('has a greeting and says how the request was authenticated', async () => {
    const user = await server.make.user();
    const texts = await Promise.all([
      ask(server.app, '/api/v1'),
      server.call('GET /' as never, { level: 'client' }),
      server.call('GET /' as never, { level: 'admin', accessToken: user.accessToken }),
    ]);
    expect(texts.map(({ text }) => text.replace(/^\S.*\n\n/, 'greeting\n\n'))).toEqual([
      'greeting\n\nAuthentication: None',
      'greeting\n\nAuthentication: Client\n  Project: internal\n  User: None',
      `greeting\n\nAuthentication: Admin\n  Project: internal\n  User: ${user.email}`,
    ]);
  });

  test('shows the id of a user without an address', async () => {
    const { accessToken, userId } = await server.make.user();
    await server.call('PATCH /users/me', { level: 'server', accessToken, body: { primary_email: null } });
    expect((await server.call('GET /' as never, { accessToken })).text).toMatch(new RegExp(`User: ${userId}$`));
  });

  test('refuses a query', async () => {
    expect(outcome(await ask(server.app, '/api/v1?a=1'))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });
});

describe('check-version compares the client version with 2.8.21', () => {
  const check = (body: unknown) => server.call('POST /check-version', { level: null, body });
  const behind = (severe: boolean) => ({ upToDate: false, error: expect.stringMatching(/\S/), severe });

  test.each([
    ['2.8.21', { upToDate: true }],
    ['2.8.20', behind(false)],
    ['2.8.22', behind(false)],
    ['2.7.21', behind(true)],
    ['2.9.21', behind(true)],
    ['1.8.21', behind(true)],
    ['3.0.0', behind(true)],
    ['2.8.21+build.7', behind(true)],
    ['2.8.21-beta.1', behind(true)],
    ['2.8', behind(true)],
    ['v2.8.21', behind(true)],
    ['', behind(true)],
    ['latest', behind(true)],
    ['2.8.21; drop table', behind(true)],
    ['x'.repeat(100_000), behind(true)],
  ])('%.20s', async (clientVersion, expected) => {
    expect(outcome(await check({ clientVersion }))).toEqual({ status: 200, body: expected });
  });

  test.each([undefined, null, {}, { clientVersion: null }, { clientVersion: {} }, { clientVersion: '1', more: 1 }])(
    '%j is refused',
    async body => {
      expect(outcome(await check(body))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    },
  );
});

describe('check-feature-support', () => {
  const ask_ = (body: unknown, level: 'client' | null = null) =>
    server.call('POST /check-feature-support', { level, body });

  test('answers that the feature is not supported, with its name when it has one', async () => {
    const answers = await Promise.all([
      ask_({ feature_name: 'rsvp' }),
      ask_({ featureName: 'x' }, 'client'),
      ask_(['any']),
      ask_(null),
      ask_(undefined),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers[0]?.text).toContain('rsvp');
    expect(answers.every(({ text }) => text.includes('not supported yet'))).toBe(true);
    expect(answers[0]?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('writes a log line', async () => {
    await ask_({ feature_name: 'teleportation' });
    expect(server.logged()).toContain('teleportation');
  });
});

describe('the public keys of a project', () => {
  const read = (project_id: string) =>
    server.call('GET /projects/{project_id}/.well-known/jwks.json', { level: null, params: { project_id } });
  const coordinate = expect.stringMatching(/^[\w-]{43}$/);
  const key = {
    kty: 'EC',
    alg: 'ES256',
    crv: 'P-256',
    x: coordinate,
    y: coordinate,
    kid: expect.stringMatching(/^[\w-]{12}$/),
  };

  test('control 31: are the current and the next key, differ between projects, and are cached for five minutes', async () => {
    const project = await server.make.project();
    const [internal, other] = await Promise.all([read('internal'), read(project.id)]);
    expect(outcome(internal)).toEqual({ status: 200, body: { keys: [key, key] } });
    expect(internal.headers.get('cache-control')).toBe('public, max-age=300');
    const kids = [internal, other].flatMap(
      ({ json }) => z.object({ keys: z.array(z.object({ kid: z.string() })) }).parse(json).keys,
    );
    expect(new Set(kids.map(({ kid }) => kid)).size).toBe(4);
  });

  test('contain the key that signs access tokens', async () => {
    const user = await server.make.user();
    const header = JSON.parse(Buffer.from(user.accessToken.split('.')[0] ?? '', 'base64url').toString());
    expect((await read('internal')).json).toMatchObject({
      keys: expect.arrayContaining([expect.objectContaining({ kid: header.kid })]),
    });
  });

  test.each(['11111111-1111-4111-8111-111111111111', 'no-project', 'INTERNAL', "' or true --"])(
    'of an unknown project are a text error 404: %s',
    async id => {
      expect(outcome(await read(id))).toEqual({ status: 404, says: 'a sentence' });
    },
  );

  test('are served without any header, but wrong headers are refused', async () => {
    const answer = await server.call('GET /projects/{project_id}/.well-known/jwks.json', {
      params: { project_id: 'internal' },
      headers: { 'x-stack-publishable-client-key': 'pck_wrong' },
    });
    expect(outcome(answer)).toMatchObject({ code: 'INVALID_PUBLISHABLE_CLIENT_KEY' });
  });
});

describe('the OpenAPI description', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { json, headers } = await ask(server.app, '/api/v1/openapi.json');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    // The parser modifies its argument.
    expect(await validate(structuredClone(json) as never)).toMatchObject({ valid: true });
    await dereference(structuredClone(json) as never);
  });

  test('describes every endpoint of the tables and no other', async () => {
    const { json } = await ask(server.app, '/api/v1/openapi.json');
    const { paths, servers } = z
      .object({
        paths: z.record(z.string(), z.record(z.string(), z.unknown())),
        servers: z.array(z.object({ url: z.string() })),
      })
      .parse(json);
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    const declared = [...endpoints, ...Object.values<SvixEndpoint>(svixEndpoints)];
    expect(described.sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort());
    expect(servers).toEqual([{ url: 'http://localhost:4280/api/v1' }]);
  });
});
