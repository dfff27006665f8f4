import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

const levels = ['client', 'server', 'admin'] as const;
const notSignedIn = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };

const read = (options: CallOptions) => server.call('GET /users/me', { project, ...options });
const update = (body: unknown, options: CallOptions) => server.call('PATCH /users/me', { project, body, ...options });

describe('/users/me without a user', () => {
  test.each(levels)('refuses reads and updates at level %s', async level => {
    const { refreshToken } = await server.make.user({ project });
    expect(outcome(await read({ level }))).toEqual(notSignedIn);
    expect(outcome(await read({ level, refreshToken }))).toEqual(notSignedIn);
    expect(outcome(await update({ display_name: 'Ada' }, { level }))).toEqual(notSignedIn);
  });

  test('control 32: refuses the access token of a deleted user at once', async () => {
    const deletable = await server.make.project({ clientUserDeletionEnabled: true });
    const { accessToken } = await server.make.user({ project: deletable });
    await server.call('DELETE /users/me', { project: deletable, accessToken });
    for (const level of levels) {
      expect(outcome(await read({ project: deletable, level, accessToken }))).toEqual(notSignedIn);
    }
    const change = { project: deletable, accessToken, body: { display_name: 'Ghost' } };
    expect(outcome(await server.call('PATCH /users/me', change))).toEqual(notSignedIn);
    expect(outcome(await server.call('DELETE /users/me', { project: deletable, accessToken }))).toEqual(notSignedIn);
  });
});

describe('/users/me with a wrong access token', () => {
  test('control 92: a token of another project is refused with INVALID_PROJECT_FOR_ACCESS_TOKEN', async () => {
    const other = await server.make.project();
    const { accessToken } = await server.make.user({ project: other });
    const details = { expected_project_id: project.id, actual_project_id: other.id };
    const refused = { status: 401, code: 'INVALID_PROJECT_FOR_ACCESS_TOKEN', details };
    for (const level of levels) expect(outcome(await read({ level, accessToken }))).toEqual(refused);
    expect(outcome(await update({ display_name: 'x' }, { accessToken }))).toEqual(refused);
    expect(outcome(await server.call('DELETE /users/me', { project, accessToken, level: 'server' }))).toEqual(refused);
  });

  test('an expired token is refused with ACCESS_TOKEN_EXPIRED', async () => {
    const { accessToken } = await server.make.user({ project });
    const expiresAtMillis = server.clock.now() + 600_000;
    server.clock.advance(600_000);
    const details = { expired_at_millis: expiresAtMillis };
    expect(outcome(await read({ accessToken }))).toEqual({ status: 401, code: 'ACCESS_TOKEN_EXPIRED', details });
  });

  test.each(['nonsense', 'a.b.c'])(
    'the malformed token %j is refused with UNPARSABLE_ACCESS_TOKEN',
    async accessToken => {
      const answer = await read({ headers: { 'x-stack-access-token': accessToken } });
      expect(outcome(answer)).toEqual({ status: 401, code: 'UNPARSABLE_ACCESS_TOKEN' });
    },
  );
});

describe('last_active_at_millis', () => {
  test('changes when a token is issued, not when a token is used', async () => {
    const { accessToken, refreshToken } = await server.make.user({ project });
    const lastActive = async () => {
      const { json } = await read({ level: 'server', accessToken });
      return (json as { last_active_at_millis: number }).last_active_at_millis;
    };
    const signedUpAtMillis = server.clock.now();
    server.clock.advance(1000);
    expect(await lastActive()).toBe(signedUpAtMillis);
    await server.call('POST /auth/sessions/current/refresh', { project, refreshToken });
    expect(await lastActive()).toBe(signedUpAtMillis + 1000);
    server.clock.advance(1000);
    expect(await lastActive()).toBe(signedUpAtMillis + 1000);
  });
});

describe('control 90: fields that the level of the caller cannot write', () => {
  const readOnly: [string, unknown][] = [
    ['id', '11111111-1111-4111-8111-111111111111'],
    ['signed_up_at_millis', 0],
    ['last_active_at_millis', 0],
    ['has_password', false],
    ['auth_with_email', false],
    ['requires_totp_mfa', false],
    ['oauth_providers', []],
    ['selected_team', null],
    ['project_id', 'internal'],
    ['constructor', {}],
    ['displayName', 'Ada'],
  ];
  const server_: [string, unknown][] = [
    ['primary_email', 'other@example.com'],
    ['primary_email_verified', true],
    ['primary_email_auth_enabled', true],
    ['client_read_only_metadata', {}],
    ['server_metadata', { managedProjectIds: ['internal'] }],
    ['is_anonymous', false],
    ['password', 'another password'],
    ['password_hash', `$2b$10$${'a'.repeat(53)}`],
  ];

  test.each([...readOnly, ...server_])('client: %s is refused with SCHEMA_ERROR', async (key, value) => {
    const { accessToken } = await server.make.user({ project });
    const before = await read({ level: 'server', accessToken });
    const answer = await update({ display_name: 'Mallory', [key]: value }, { accessToken });
    const message = expect.stringContaining(`body contains unknown properties: ${key}`);
    expect(outcome(answer)).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: { message } });
    expect((await read({ level: 'server', accessToken })).json).toEqual(before.json);
  });

  test.each(readOnly)('server: %s is refused with SCHEMA_ERROR', async (key, value) => {
    const { accessToken } = await server.make.user({ project });
    const answer = await update({ [key]: value }, { level: 'server', accessToken });
    expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });

  test('is_anonymous true is refused with SCHEMA_ERROR at every level', async () => {
    const { accessToken } = await server.make.user({ project });
    for (const level of levels) {
      const answer = await update({ is_anonymous: true }, { level, accessToken });
      expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    }
  });

  test('an unknown query key is refused with SCHEMA_ERROR', async () => {
    const { accessToken } = await server.make.user({ project });
    const answer = await read({ accessToken, query: { include: 'everything' } });
    const message = expect.stringContaining('query contains unknown properties: include');
    expect(outcome(answer)).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: { message } });
  });
});
