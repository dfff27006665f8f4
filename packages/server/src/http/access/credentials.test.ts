import type { Route } from '@tessera/protocol';
import { ask, type CallOptions, internalKeys, type ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { credentialsOf, sentHeaders } from '../../test/credentials.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';

let server: TestServer;
let project: ProjectAccess;
let other: ProjectAccess;
let ada: SignedUp;

beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  other = await server.make.project();
  ada = await server.make.user({ project });
});
afterAll(() => server.close());

const unknownId = '11111111-1111-4111-8111-111111111111';
const unknownCode = '0'.repeat(45);

/** `GET /` reports how the request was authenticated and requires no credentials. */
async function authenticate(headers: Record<string, string>) {
  const answer = await ask(server.app, '/api/v1', { headers });
  return answer.status === 200
    ? answer.text
        .split('\n')
        .slice(2)
        .map(line => line.trim())
    : outcome(answer);
}

const filled = (headers: Record<string, string>) =>
  sentHeaders(headers, { project, other, accessToken: ada.accessToken });

const { client, server: server_, admin } = credentialsOf;

describe('a request is authenticated', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['with no credentials when it has no header', {}, ['Authentication: None']],
    ['by a publishable key', client, ['Authentication: Client', 'Project: {project}', 'User: None']],
    ['by a server key', server_, ['Authentication: Server', 'Project: {project}', 'User: None']],
    ['by an admin key', admin, ['Authentication: Admin', 'Project: {project}', 'User: None']],
    [
      'by the key of its level, and keys of other levels are ignored',
      { ...client, 'secret-server-key': 'ssk_wrong', 'super-secret-admin-key': 'sak_wrong' },
      ['Authentication: Client', 'Project: {project}', 'User: None'],
    ],
    [
      'with the user of an access token at level client',
      { ...client, 'access-token': '{token}' },
      ['Authentication: Client', 'Project: {project}', 'User: person-1@example.com'],
    ],
    [
      'with the user of an access token at level server',
      { ...server_, 'access-token': '{token}' },
      ['Authentication: Server', 'Project: {project}', 'User: person-1@example.com'],
    ],
    [
      'with the user of an access token at level admin',
      { ...admin, 'access-token': '{token}' },
      ['Authentication: Admin', 'Project: {project}', 'User: person-1@example.com'],
    ],
    [
      'on the branch main',
      { ...client, 'branch-id': 'main' },
      ['Authentication: Client', 'Project: {project}', 'User: None'],
    ],
    [
      'with no credentials when it has an access token without an access type',
      { 'access-token': 'rubbish' },
      ['Authentication: None'],
    ],
    ['with no credentials when it has only a project id', { 'project-id': '{project}' }, ['Authentication: None']],
  ])('%s', async (_, headers, expected) => {
    expect(await authenticate(filled(headers))).toEqual(expected.map(line => line.replace('{project}', project.id)));
  });

  test.each(['publishable-client-key', 'secret-server-key', 'super-secret-admin-key', 'admin-access-token'])(
    'with no credentials when %s is empty',
    async name => {
      expect(await authenticate({ [`x-stack-${name}`]: '' })).toEqual(['Authentication: None']);
    },
  );

  test('without a user when the access token is empty', async () => {
    const headers = { ...filled(client), 'x-stack-access-token': '' };
    expect(await authenticate(headers)).toEqual(['Authentication: Client', `Project: ${project.id}`, 'User: None']);
  });

  test('without a user when only a refresh token is sent', async () => {
    const headers = { ...filled(client), 'x-stack-refresh-token': ada.refreshToken };
    expect(await authenticate(headers)).toEqual(['Authentication: Client', `Project: ${project.id}`, 'User: None']);
  });
});

describe('a request is refused', () => {
  test.each<[string, Record<string, string>, object]>([
    [
      'with a publishable key without access type',
      { 'publishable-client-key': '{client key}' },
      { status: 400, code: 'PROJECT_KEY_WITHOUT_ACCESS_TYPE' },
    ],
    [
      'with a server key without access type',
      { 'secret-server-key': 'any' },
      { status: 400, code: 'PROJECT_KEY_WITHOUT_ACCESS_TYPE' },
    ],
    [
      'with an admin key without access type',
      { 'super-secret-admin-key': 'any' },
      { status: 400, code: 'PROJECT_KEY_WITHOUT_ACCESS_TYPE' },
    ],
    [
      'with an admin token without access type',
      { 'admin-access-token': 'any' },
      { status: 400, code: 'PROJECT_KEY_WITHOUT_ACCESS_TYPE' },
    ],
    ['another access type', { ...client, 'access-type': 'owner' }, { status: 400, code: 'INVALID_ACCESS_TYPE' }],
    [
      'with an access type in upper case',
      { ...client, 'access-type': 'CLIENT' },
      { status: 400, code: 'INVALID_ACCESS_TYPE' },
    ],
    [
      'with the name of an object property as access type',
      { ...client, 'access-type': 'constructor' },
      { status: 400, code: 'INVALID_ACCESS_TYPE' },
    ],
    [
      'at level client without project',
      { 'access-type': 'client' },
      { status: 400, code: 'ACCESS_TYPE_WITHOUT_PROJECT_ID', details: { request_type: 'client' } },
    ],
    [
      'at level server without project',
      { 'access-type': 'server' },
      { status: 400, code: 'ACCESS_TYPE_WITHOUT_PROJECT_ID', details: { request_type: 'server' } },
    ],
    [
      'at level admin with an empty project',
      { ...admin, 'project-id': '' },
      { status: 400, code: 'ACCESS_TYPE_WITHOUT_PROJECT_ID', details: { request_type: 'admin' } },
    ],
    [
      'at level client without key',
      { ...client, 'publishable-client-key': '' },
      { status: 401, code: 'CLIENT_AUTHENTICATION_REQUIRED' },
    ],
    [
      'at level server without key',
      { ...server_, 'secret-server-key': '' },
      { status: 401, code: 'SERVER_AUTHENTICATION_REQUIRED' },
    ],
    [
      'at level admin without key',
      { ...admin, 'super-secret-admin-key': '' },
      { status: 401, code: 'ADMIN_AUTHENTICATION_REQUIRED' },
    ],
    [
      'at level client with a server key only',
      { ...server_, 'access-type': 'client' },
      { status: 401, code: 'CLIENT_AUTHENTICATION_REQUIRED' },
    ],
    [
      'at level server with an admin key only',
      { ...admin, 'access-type': 'server' },
      { status: 401, code: 'SERVER_AUTHENTICATION_REQUIRED' },
    ],
    [
      'with a wrong client key',
      { ...client, 'publishable-client-key': 'pck_wrong' },
      { status: 401, code: 'INVALID_PUBLISHABLE_CLIENT_KEY', details: { project_id: '{project}' } },
    ],
    [
      'with a wrong server key',
      { ...server_, 'secret-server-key': 'ssk_wrong' },
      { status: 401, code: 'INVALID_SECRET_SERVER_KEY', details: { project_id: '{project}' } },
    ],
    [
      'with a wrong admin key',
      { ...admin, 'super-secret-admin-key': 'sak_wrong' },
      { status: 401, code: 'INVALID_SUPER_SECRET_ADMIN_KEY', details: { project_id: '{project}' } },
    ],
    [
      "another project's client key",
      { ...client, 'publishable-client-key': "{other's client key}" },
      { status: 401, code: 'INVALID_PUBLISHABLE_CLIENT_KEY', details: { project_id: '{project}' } },
    ],
    [
      "another project's server key",
      { ...server_, 'secret-server-key': "{other's server key}" },
      { status: 401, code: 'INVALID_SECRET_SERVER_KEY', details: { project_id: '{project}' } },
    ],
    [
      "another project's admin key",
      { ...admin, 'super-secret-admin-key': "{other's admin key}" },
      { status: 401, code: 'INVALID_SUPER_SECRET_ADMIN_KEY', details: { project_id: '{project}' } },
    ],
    [
      'with the client key in place of the server key',
      { ...server_, 'secret-server-key': '{client key}' },
      { status: 401, code: 'INVALID_SECRET_SERVER_KEY', details: { project_id: '{project}' } },
    ],
    [
      'with a blank inside the client key',
      { ...client, 'publishable-client-key': 'pck_ wrong' },
      { status: 401, code: 'INVALID_PUBLISHABLE_CLIENT_KEY', details: { project_id: '{project}' } },
    ],
    [
      'with a client key on a project that does not exist',
      { ...client, 'project-id': unknownId },
      { status: 401, code: 'INVALID_PUBLISHABLE_CLIENT_KEY', details: { project_id: unknownId } },
    ],
    [
      'with a server key on a project that does not exist',
      { ...server_, 'project-id': unknownId },
      { status: 401, code: 'INVALID_SECRET_SERVER_KEY', details: { project_id: unknownId } },
    ],
    [
      'with a malformed project id',
      { ...client, 'project-id': "'; drop table users; --" },
      { status: 401, code: 'INVALID_PUBLISHABLE_CLIENT_KEY', details: { project_id: "'; drop table users; --" } },
    ],
    [
      'with an unknown branch',
      { ...client, 'branch-id': 'staging' },
      { status: 400, code: 'BRANCH_DOES_NOT_EXIST', details: { branch_id: 'staging' } },
    ],
    [
      'with a malformed access token',
      { ...client, 'access-token': 'rubbish' },
      { status: 401, code: 'UNPARSABLE_ACCESS_TOKEN' },
    ],
    [
      'with an access token of another project',
      {
        'access-type': 'client',
        'project-id': '{other project}',
        'publishable-client-key': "{other's client key}",
        'access-token': '{token}',
      },
      {
        status: 401,
        code: 'INVALID_PROJECT_FOR_ACCESS_TOKEN',
        details: { expected_project_id: '{other project}', actual_project_id: '{project}' },
      },
    ],
  ])('%s', async (_, headers, expected) => {
    const text = JSON.stringify(expected).replaceAll('{project}', project.id).replaceAll('{other project}', other.id);
    expect(await authenticate(filled(headers))).toEqual(JSON.parse(text));
  });

  test('with the expiry in the details when the access token has expired, from its last second on', async () => {
    const late = await openTestServer({ environment: { TESSERA_ACCESS_TOKEN_LIFETIME: '2m' } });
    const eve = await late.make.user();
    const headers = {
      'x-stack-access-type': 'client',
      'x-stack-project-id': 'internal',
      'x-stack-publishable-client-key': internalKeys.publishableClientKey,
      'x-stack-access-token': eve.accessToken,
    };
    const expired_at_millis = late.clock.now() + 120_000;
    late.clock.advance(119_999);
    expect((await ask(late.app, '/api/v1', { headers })).status).toBe(200);
    late.clock.advance(1);
    expect(outcome(await ask(late.app, '/api/v1', { headers }))).toEqual({
      status: 401,
      code: 'ACCESS_TOKEN_EXPIRED',
      details: { expired_at_millis },
    });
    await late.close();
  });

  test('control 32: a request with the access token of a deleted user has no user', async () => {
    const gone = await server.make.user({ project });
    await server.call('DELETE /users/me', { project, level: 'server', accessToken: gone.accessToken });
    expect(await authenticate({ ...filled(client), 'x-stack-access-token': gone.accessToken })).toEqual([
      'Authentication: Client',
      `Project: ${project.id}`,
      'User: None',
    ]);
  });
});

describe('control 32: the access token of an ended session', () => {
  const expired = () => ({
    status: 401,
    code: 'ACCESS_TOKEN_EXPIRED',
    details: { expired_at_millis: server.clock.now() },
  });
  const signOut = (accessToken: string) => server.call('DELETE /auth/sessions/current', { project, accessToken });

  test.each<[Route, CallOptions]>([
    ['GET /users/me', {}],
    ['PATCH /users/me', { body: { display_name: 'Eve' } }],
    ['GET /teams', { query: { user_id: 'me' } }],
    ['GET /auth/sessions', { query: { user_id: 'me' } }],
  ])('is refused by %s with ACCESS_TOKEN_EXPIRED, at every level', async (route, options) => {
    const { accessToken } = await server.make.user({ project });
    await signOut(accessToken);
    for (const level of ['client', 'server', 'admin'] as const) {
      expect(outcome(await server.call(route, { project, level, accessToken, ...options }))).toEqual(expired());
    }
  });

  test('is ignored by calls without a user, so that its owner can sign in again', async () => {
    const { accessToken, email, password, userId } = await server.make.user({ project });
    await signOut(accessToken);
    const call = (route: Route, options: CallOptions = {}) => server.call(route, { project, accessToken, ...options });
    expect((await call('POST /auth/password/sign-in', { body: { email, password } })).status).toBe(200);
    expect((await call('GET /projects/current')).status).toBe(200);
    expect((await call('POST /auth/cli', { body: {} })).status).toBe(200);
    const headers = { ...filled(client), 'x-stack-access-token': accessToken };
    expect((await ask(server.app, '/api/v1/nothing', { headers })).status).toBe(404);
    expect((await ask(server.app, '/api/v1', { headers })).text).toContain('User: None');
    const read = await call('GET /users/{user_id}', { level: 'server', params: { user_id: userId } });
    expect(read.json).toMatchObject({ id: userId });
  });

  test.each<[Route, object, string]>([
    ['POST /auth/otp/sign-in/check-code', { code: unknownCode }, 'VERIFICATION_CODE_NOT_FOUND'],
    ['POST /auth/password/reset/check-code', { code: unknownCode }, 'VERIFICATION_CODE_NOT_FOUND'],
    ['POST /contact-channels/verify/check-code', { code: unknownCode }, 'VERIFICATION_CODE_NOT_FOUND'],
    ['POST /team-invitations/accept/check-code', { code: unknownCode }, 'VERIFICATION_CODE_NOT_FOUND'],
    ['POST /extensions/team-invitations/read', { code: unknownCode }, 'VERIFICATION_CODE_NOT_FOUND'],
    ['POST /extensions/passkeys/check', { passkey_id: 'AAAA' }, 'PASSKEY_AUTHENTICATION_NOT_ENABLED'],
  ])('is ignored by %s, which needs no user, at every level', async (route, body, code) => {
    const { accessToken } = await server.make.user({ project });
    await signOut(accessToken);
    for (const level of ['client', 'server', 'admin'] as const) {
      expect(outcome(await server.call(route, { project, level, accessToken, body }))).toMatchObject({ code });
    }
  });

  test('is ignored by POST /extensions/cli-logins/decline, which needs no user', async () => {
    const { accessToken } = await server.make.user({ project });
    await signOut(accessToken);
    const body = { login_code: 'unknown' };
    const declined = await server.call('POST /extensions/cli-logins/decline', { project, accessToken, body });
    expect(declined.status).toBe(400);
  });

  test('of an anonymous user does not turn this user into the one that signs up', async () => {
    const open = await server.make.project({ anonymousUsersEnabled: true, credentialEnabled: true });
    const anonymous = await server.call('POST /auth/anonymous/sign-up', { project: open });
    const { access_token: accessToken, user_id } = anonymous.json as { access_token: string; user_id: string };
    await server.call('DELETE /auth/sessions/current', { project: open, accessToken });
    const body = {
      email: 'ada@example.com',
      password: 'quiet lantern orbit',
      verification_callback_url: 'http://localhost/',
    };
    const signedUp = await server.call('POST /auth/password/sign-up', { project: open, accessToken, body });
    expect(signedUp.json).toMatchObject({ user_id: expect.not.stringMatching(user_id) });
  });

  test('is refused after a server resets the password, and the new session is accepted', async () => {
    const { accessToken, userId, email } = await server.make.user({ project });
    const body = { password: 'another good password' };
    await server.call('PATCH /users/{user_id}', { project, level: 'server', params: { user_id: userId }, body });
    expect(outcome(await server.call('GET /users/me', { project, accessToken }))).toEqual(expired());
    const signedIn = await server.call('POST /auth/password/sign-in', { project, body: { email, ...body } });
    const { access_token } = signedIn.json as { access_token: string };
    expect((await server.call('GET /users/me', { project, accessToken: access_token })).status).toBe(200);
  });

  test('cannot create an API key', async () => {
    const withKeys = await server.make.project({ allowUserApiKeys: true });
    const { accessToken, userId } = await server.make.user({ project: withKeys });
    await server.call('DELETE /auth/sessions/current', { project: withKeys, accessToken });
    const body = { user_id: 'me', description: 'stays', is_public: false, expires_at_millis: null };
    const answer = await server.call('POST /user-api-keys', { project: withKeys, accessToken, body });
    expect(outcome(answer)).toEqual(expired());
    const query = { user_id: userId };
    const keys = await server.call('GET /user-api-keys', { project: withKeys, level: 'server', query });
    expect(keys.json).toMatchObject({ items: [] });
  });

  test('gets the answers of the contract from sign-out and refresh', async () => {
    const { accessToken, refreshToken } = await server.make.user({ project });
    await signOut(accessToken);
    const gone = { status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' };
    expect(outcome(await signOut(accessToken))).toEqual(gone);
    const refresh = 'POST /auth/sessions/current/refresh';
    expect(outcome(await server.call(refresh, { project, accessToken, refreshToken }))).toEqual(gone);
    const { refreshToken: other } = await server.make.user({ project });
    expect((await server.call(refresh, { project, accessToken, refreshToken: other })).status).toBe(200);
  });

  test('is refused with ADMIN_ACCESS_TOKEN_EXPIRED when it is sent as admin access token', async () => {
    const owner = await server.make.user();
    const body = { server_metadata: { managedProjectIds: [project.id] } };
    await server.call('PATCH /users/me', { level: 'server', accessToken: owner.accessToken, body });
    const headers = {
      'x-stack-access-type': 'admin',
      'x-stack-project-id': project.id,
      'x-stack-admin-access-token': owner.accessToken,
    };
    expect((await ask(server.app, '/api/v1/projects/current', { headers })).status).toBe(200);
    await server.call('DELETE /auth/sessions/current', { accessToken: owner.accessToken });
    expect(outcome(await ask(server.app, '/api/v1/projects/current', { headers }))).toEqual({
      ...expired(),
      code: 'ADMIN_ACCESS_TOKEN_EXPIRED',
    });
  });

  test('is refused without an extra query: user and session are read in one statement', async () => {
    const { accessToken } = await server.make.user({ project });
    await server.call('GET /users/me', { project, accessToken });
    const queries = vi.spyOn(server.deps.db, 'query');
    expect((await server.call('GET /users/me', { project, accessToken })).status).toBe(200);
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();
  });
});
