import { ask, internalKeys, type ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';

const goneId = '11111111-1111-4111-8111-111111111111';

let server: TestServer;
let project: ProjectAccess;
let foreign: ProjectAccess;
let owner: SignedUp;

beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  foreign = await server.make.project();
  // The first user of `internal` owns the installation.
  owner = await server.make.user();
  const server_metadata = { managedProjectIds: ['internal', project.id, goneId] };
  await server.call('PATCH /users/me', { level: 'server', accessToken: owner.accessToken, body: { server_metadata } });
});
afterAll(() => server.close());

async function authenticate(headers: Record<string, string>) {
  const prefixed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [`x-stack-${name}`, value]));
  const answer = await ask(server.app, '/api/v1', { headers: prefixed });
  return answer.status === 200
    ? answer.text
        .split('\n')
        .slice(2)
        .map(line => line.trim())
    : outcome(answer);
}

describe('the admin access token of an owner authenticates for a managed project', () => {
  test.each([
    ['client', 'Client'],
    ['server', 'Server'],
    ['admin', 'Admin'],
  ])('at level %s, without any key', async (level, name) => {
    const headers = { 'access-type': level, 'project-id': project.id, 'admin-access-token': owner.accessToken };
    expect(await authenticate(headers)).toEqual([`Authentication: ${name}`, `Project: ${project.id}`, 'User: None']);
  });

  test('at level admin, even beside wrong keys', async () => {
    const wrong = {
      'publishable-client-key': 'pck_wrong',
      'secret-server-key': 'ssk_wrong',
      'super-secret-admin-key': 'sak_wrong',
    };
    const headers = { 'access-type': 'admin', 'project-id': project.id, 'admin-access-token': owner.accessToken };
    expect(await authenticate({ ...headers, ...wrong })).toMatchObject({ 0: 'Authentication: Admin' });
  });

  test('until its session expires', async () => {
    const minute = 60_000;
    const { access_token: token } = (
      await server.call('POST /auth/sessions', {
        level: 'server',
        body: { user_id: owner.userId, expires_in_millis: minute },
      })
    ).json as { access_token: string };
    const headers = { 'access-type': 'admin', 'project-id': project.id, 'admin-access-token': token };
    expect(await authenticate(headers)).toMatchObject({ 0: 'Authentication: Admin' });
    server.clock.advance(minute);
    expect(await authenticate(headers)).toMatchObject({ status: 401, code: 'ADMIN_ACCESS_TOKEN_EXPIRED' });
  });

  test('for `internal` itself', async () => {
    const headers = { 'access-type': 'admin', 'project-id': 'internal', 'admin-access-token': owner.accessToken };
    expect(await authenticate(headers)).toMatchObject({ 0: 'Authentication: Admin' });
  });

  test('together with an access token, which identifies the user', async () => {
    const ada = await server.make.user({ project });
    const headers = { 'access-type': 'server', 'project-id': project.id, 'admin-access-token': owner.accessToken };
    expect(await authenticate({ ...headers, 'access-token': ada.accessToken })).toEqual([
      'Authentication: Server',
      `Project: ${project.id}`,
      `User: ${ada.email}`,
    ]);
  });
});

describe('an admin access token is refused', () => {
  const at = (projectId: string, token: string) => ({
    'access-type': 'admin',
    'project-id': projectId,
    'admin-access-token': token,
  });

  test('when it is malformed, even beside a valid key', async () => {
    const headers = { ...at(project.id, 'rubbish'), 'super-secret-admin-key': project.superSecretAdminKey };
    expect(await authenticate(headers)).toEqual({ status: 401, code: 'UNPARSABLE_ADMIN_ACCESS_TOKEN' });
  });

  test('when one byte of its signature differs', async () => {
    const last = owner.accessToken.at(-3) === 'A' ? 'B' : 'A';
    const token = `${owner.accessToken.slice(0, -3)}${last}${owner.accessToken.slice(-2)}`;
    expect(await authenticate(at(project.id, token))).toEqual({ status: 401, code: 'UNPARSABLE_ADMIN_ACCESS_TOKEN' });
  });

  test('when it belongs to a user of a project other than internal', async () => {
    const ada = await server.make.user({ project });
    const expected = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };
    expect(await authenticate(at(project.id, ada.accessToken))).toEqual(expected);
    expect(await authenticate(at('internal', ada.accessToken))).toEqual(expected);
  });

  test('when the owner does not manage the project', async () => {
    const expected = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };
    expect(await authenticate(at(foreign.id, owner.accessToken))).toEqual(expected);
  });

  test('when the project does not exist and the owner does not manage it, with the same answer as for an existing project', async () => {
    const unknown = '22222222-2222-4222-8222-222222222222';
    const expected = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };
    expect(await authenticate(at(unknown, owner.accessToken))).toEqual(expected);
  });

  test('when the project was deleted and is still in the list of the owner, never with PROJECT_NOT_FOUND', async () => {
    const expected = { status: 401, code: 'INVALID_PROJECT_FOR_ADMIN_ACCESS_TOKEN' };
    const answer = await authenticate(at(goneId, owner.accessToken));
    expect(answer).toEqual(expected);
    expect(answer).not.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'internal'],
    ['an object', { 0: 'internal' }],
    ['a nested list', [['internal']]],
    ['a longer id', ['internal2']],
  ])('when the list of managed projects is %s', async (_, managedProjectIds) => {
    const outsider = await server.make.user();
    const body = { server_metadata: { managedProjectIds } };
    await server.call('PATCH /users/me', { level: 'server', accessToken: outsider.accessToken, body });
    const expected = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };
    expect(await authenticate(at('internal', outsider.accessToken))).toEqual(expected);
  });

  test.each([null, 'internal', ['internal'], 7])('when all of the server metadata is %j', async server_metadata => {
    const outsider = await server.make.user();
    const { accessToken } = outsider;
    await server.call('PATCH /users/me', { level: 'server', accessToken, body: { server_metadata } });
    const expected = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };
    expect(await authenticate(at('internal', accessToken))).toEqual(expected);
  });

  test('control 90: when a user of internal has written managedProjectIds through a client-level update', async () => {
    const eve = await server.make.user();
    const managed = { managedProjectIds: ['internal'] };
    const written = await server.call('PATCH /users/me', {
      accessToken: eve.accessToken,
      body: { client_metadata: managed },
    });
    const refused = await server.call('PATCH /users/me', {
      accessToken: eve.accessToken,
      body: { server_metadata: managed },
    });
    expect([written.status, outcome(refused)]).toMatchObject([200, { status: 400, code: 'SCHEMA_ERROR' }]);
    const expected = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };
    expect(await authenticate(at('internal', eve.accessToken))).toEqual(expected);
  });

  test('with a text error 401 when its user was deleted', async () => {
    const gone = await server.make.user();
    await server.call('DELETE /users/me', { level: 'server', accessToken: gone.accessToken });
    expect(await authenticate(at('internal', gone.accessToken))).toEqual({ status: 401, says: 'a sentence' });
  });

  test('when it has expired', async () => {
    const token = (await server.make.user()).accessToken;
    const expired_at_millis = server.clock.now() + 600_000;
    server.clock.advance(600_000);
    expect(await authenticate(at('internal', token))).toEqual({
      status: 401,
      code: 'ADMIN_ACCESS_TOKEN_EXPIRED',
      details: { expired_at_millis },
    });
  });
});

test('a request with an empty admin access token is authenticated by its key', async () => {
  const headers = {
    'access-type': 'client',
    'project-id': 'internal',
    'admin-access-token': '',
    'publishable-client-key': internalKeys.publishableClientKey,
  };
  expect(await authenticate(headers)).toMatchObject({ 0: 'Authentication: Client' });
});
