import { type Answered, type ProjectAccess, readAnswer } from '@tessera/testing/call';
import { aToken, outcome, stableHeaders } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
let refreshToken: string;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  ({ refreshToken } = await server.make.user({ project }));
});
afterAll(() => server.close());

type Fields = Record<string, unknown>;

const good = (): Fields => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
  client_id: project.id,
  client_secret: project.publishableClientKey,
});

function asJson(fields: Fields, headers: Record<string, string> = {}): Promise<Answered> {
  return server.call('POST /auth/oauth/token', { level: null, body: fields, headers });
}

async function asForm(fields: Fields): Promise<Answered> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const body = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  // `Request` sets the content type of a form.
  return readAnswer(
    await server.app(new Request('http://localhost:4280/api/v1/auth/oauth/token', { method: 'POST', body })),
  );
}

const answered = { access_token: aToken, token_type: 'Bearer', expires_in: 600, scope: 'legacy' };

describe.each([
  ['JSON', asJson],
  ['a form', asForm],
])('POST /auth/oauth/token with %s', (_, token) => {
  test('returns exactly four keys', async () => {
    expect(outcome(await token(good()))).toEqual({ status: 200, body: answered });
  });

  test('forbids caching (RFC 6749 section 5.1)', async () => {
    const { headers } = await token(good());
    expect(stableHeaders(headers)).toMatchObject({
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('accepts the same refresh token again', async () => {
    const statuses = [await token(good()), await token(good()), await token(good())].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200]);
  });

  test('accepts a client id with the branch main', async () => {
    const answer = await token({ ...good(), client_id: `${project.id}#main` });
    expect(outcome(answer)).toEqual({ status: 200, body: answered });
  });

  test('treats parameters without a value as omitted (RFC 6749 section 3.2)', async () => {
    const answer = await token({ ...good(), scope: '', code: '', code_verifier: '', redirect_uri: '' });
    expect(outcome(answer)).toEqual({ status: 200, body: answered });
  });

  test('accepts the scope "legacy"', async () => {
    expect(outcome(await token({ ...good(), scope: 'legacy' }))).toEqual({ status: 200, body: answered });
  });

  test('ignores unknown fields', async () => {
    const answer = await token({ ...good(), redirect_uri: 'https://evil.example', __proto__x: '1', code: 'x' });
    expect(outcome(answer)).toEqual({ status: 200, body: answered });
  });

  test.each<[string, () => Fields]>([
    ['no client', () => ({ client_id: undefined })],
    ['an unknown client', () => ({ client_id: '11111111-1111-4111-8111-111111111111' })],
    ['a malformed client id', () => ({ client_id: "x' or true --" })],
    ['another branch', () => ({ client_id: `${project.id}#other` })],
    ['an empty branch', () => ({ client_id: `${project.id}#` })],
    ['another project', () => ({ client_id: 'internal' })],
    ['no secret', () => ({ client_secret: undefined })],
    ['a wrong secret', () => ({ client_secret: 'pck_wrong' })],
    ['an empty secret', () => ({ client_secret: '' })],
    ['the server key', () => ({ client_secret: project.secretServerKey })],
    ['the admin key', () => ({ client_secret: project.superSecretAdminKey })],
  ])('%s is refused with INVALID_OAUTH_CLIENT_ID_OR_SECRET', async (__, change) => {
    const answer = await token({ ...good(), ...change() });
    expect(outcome(answer)).toEqual({
      status: 400,
      code: 'INVALID_OAUTH_CLIENT_ID_OR_SECRET',
      details: { client_id: null },
    });
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['not ASCII', 'tokén'],
    ['not printable', 'tok\nen'],
  ])('a refresh token that is %s is refused with the OAuth error invalid_request', async (__, refresh_token) => {
    const { status, headers, text } = await token({ ...good(), refresh_token });
    expect(status).toBe(400);
    expect(headers.get('x-stack-known-error')).toBeNull();
    expect(JSON.parse(text)).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each(['a'.repeat(45), 'not a token', 'x'])(
    'the refresh token %j is refused with REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED',
    async refresh_token => {
      const answer = await token({ ...good(), refresh_token });
      expect(outcome(answer)).toEqual({ status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
    },
  );

  test('control 92: the refresh token of another project is refused', async () => {
    const other = await server.make.user({ project: await server.make.project() });
    const answer = await token({ ...good(), refresh_token: other.refreshToken });
    expect(outcome(answer)).toEqual({ status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
  });

  test.each(['openid', 'legacy openid', ' '])('the scope %j is refused with INVALID_SCOPE', async scope => {
    expect(outcome(await token({ ...good(), scope }))).toEqual({ status: 400, code: 'INVALID_SCOPE' });
  });

  test.each([undefined, 'password', 'client_credentials', 'REFRESH_TOKEN', ''])(
    'the grant type %j is refused with SCHEMA_ERROR',
    async grant_type => {
      const answer = await token({ ...good(), grant_type });
      const message = expect.stringContaining('body.grant_type');
      expect(outcome(answer)).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: { message } });
    },
  );
});

test('the token endpoint checks project headers when a request has them', async () => {
  const headers = {
    'x-stack-access-type': 'client',
    'x-stack-project-id': project.id,
    'x-stack-publishable-client-key': 'pck_wrong',
  };
  expect(outcome(await asJson(good(), headers))).toMatchObject({ status: 401, code: 'INVALID_PUBLISHABLE_CLIENT_KEY' });
  const right = { ...headers, 'x-stack-publishable-client-key': project.publishableClientKey };
  expect((await asJson(good(), right)).status).toBe(200);
});

test('expires_in is the access token lifetime that the operator has set', async () => {
  const long = await openTestServer({ beside: server, environment: { TESSERA_ACCESS_TOKEN_LIFETIME: '1h' } });
  const answer = await long.call('POST /auth/oauth/token', { level: null, body: good() });
  await long.close();
  expect(outcome(answer)).toEqual({ status: 200, body: { ...answered, expires_in: 3600 } });
});
