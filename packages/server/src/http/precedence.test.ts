import { ask, type ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialsOf, sentHeaders } from '../test/credentials.ts';
import { openTestServer, type TestServer } from '../test/harness.ts';
import type { SignedUp } from '../test/make.ts';

let server: TestServer;
let project: ProjectAccess;
let ada: SignedUp;

beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  ada = await server.make.user({ project });
});
afterAll(() => server.close());

const unknownId = '11111111-1111-4111-8111-111111111111';
const { client } = credentialsOf;
const filled = (headers: Record<string, string>) => sentHeaders(headers, { project });

/** `GET /` requires no credentials, so its answer depends on the headers only. */
async function authenticate(headers: Record<string, string>) {
  return outcome(await ask(server.app, '/api/v1', { headers }));
}

describe('a request with several errors gets the error that comes first in the contract', () => {
  const badToken = { 'access-token': 'rubbish' };
  const wrongKey = { 'publishable-client-key': 'pck_wrong' };
  test.each<[string, Record<string, string>, string]>([
    ['a wrong access type before a missing project', { 'access-type': 'owner', ...badToken }, 'INVALID_ACCESS_TYPE'],
    [
      'a missing project before a bad token',
      { 'access-type': 'client', ...badToken },
      'ACCESS_TYPE_WITHOUT_PROJECT_ID',
    ],
    ['a bad token before a wrong key', { ...client, ...wrongKey, ...badToken }, 'UNPARSABLE_ACCESS_TOKEN'],
    [
      'a bad token before a missing key',
      { ...client, 'publishable-client-key': '', ...badToken },
      'UNPARSABLE_ACCESS_TOKEN',
    ],
    [
      'a bad token before an unknown project',
      { ...client, 'project-id': unknownId, ...badToken },
      'UNPARSABLE_ACCESS_TOKEN',
    ],
    [
      'a bad token before a bad admin token',
      { ...client, 'admin-access-token': 'rubbish', ...badToken },
      'UNPARSABLE_ACCESS_TOKEN',
    ],
    ['a bad token before a wrong branch', { ...client, 'branch-id': 'x', ...badToken }, 'UNPARSABLE_ACCESS_TOKEN'],
    [
      'a wrong key before an unknown project',
      { ...client, ...wrongKey, 'project-id': unknownId },
      'INVALID_PUBLISHABLE_CLIENT_KEY',
    ],
    [
      'a wrong key before a wrong branch',
      { ...client, ...wrongKey, 'branch-id': 'x' },
      'INVALID_PUBLISHABLE_CLIENT_KEY',
    ],
    [
      'a missing key before a wrong branch',
      { ...client, 'publishable-client-key': '', 'branch-id': 'x' },
      'CLIENT_AUTHENTICATION_REQUIRED',
    ],
  ])('%s', async (_, headers, code) => {
    expect(await authenticate(filled(headers))).toMatchObject({ code });
  });

  const malformed = { method: 'POST', body: '{' };
  const json = { 'content-type': 'application/json' };

  test.each<[string, Record<string, string>]>([
    ['a wrong access type', { 'access-type': 'owner' }],
    ['a wrong key', { ...client, ...wrongKey }],
    ['a bad token', { ...client, ...badToken }],
    ['a key without access type', wrongKey],
  ])('a malformed body is reported before %s, on any path', async (_, headers) => {
    for (const path of ['/api/v1/auth/password/sign-in', '/api/v1/users/me', '/api/v1/nowhere']) {
      const answer = await ask(server.app, path, { ...malformed, headers: { ...json, ...filled(headers) } });
      expect(outcome(answer)).toEqual({ status: 400, code: 'BODY_PARSING_ERROR' });
    }
  });

  test.each<[string, Record<string, string>, string]>([
    ['a wrong key', { ...client, ...wrongKey }, 'INVALID_PUBLISHABLE_CLIENT_KEY'],
    ['a stale token', { ...client, ...badToken }, 'UNPARSABLE_ACCESS_TOKEN'],
    ['a wrong branch', { ...client, 'branch-id': 'x' }, 'BRANCH_DOES_NOT_EXIST'],
  ])('%s is reported before an invalid body and before an unknown path', async (_, headers, code) => {
    const init = { method: 'POST', body: '{"stranger":1}', headers: { ...json, ...filled(headers) } };
    for (const path of ['/api/v1/auth/password/sign-in', '/api/v1/users/me', '/api/v1/nowhere']) {
      expect(outcome(await ask(server.app, path, init))).toMatchObject({ code });
    }
  });

  test('a missing access type is reported before an invalid body', async () => {
    const init = { method: 'POST', body: '{"stranger":1}', headers: json };
    expect(outcome(await ask(server.app, '/api/v1/auth/password/sign-in', init))).toEqual({
      status: 400,
      code: 'ACCESS_TYPE_REQUIRED',
    });
  });
});

test('an expired access token is refused by every endpoint, sign-in and refresh included', async () => {
  const accessToken = 'rubbish';
  const body = { email: ada.email, password: ada.password };
  const answers = await Promise.all([
    server.call('POST /auth/password/sign-in', { project, accessToken, body }),
    server.call('POST /auth/sessions/current/refresh', { project, accessToken, refreshToken: ada.refreshToken }),
    server.call('GET /projects/current', { project, accessToken }),
  ]);
  expect(answers.map(outcome)).toEqual(Array(3).fill({ status: 401, code: 'UNPARSABLE_ACCESS_TOKEN' }));
});
