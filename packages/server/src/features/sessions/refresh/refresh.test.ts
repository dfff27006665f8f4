import { sessionLifetimeMs } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { aToken, outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project({ clientUserDeletionEnabled: true });
});
afterAll(() => server.close());

const gone = { status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' };
const unknown = 'a'.repeat(45);

const refresh = (refreshToken: string, options: CallOptions = {}) =>
  server.call('POST /auth/sessions/current/refresh', { project, refreshToken, ...options });

describe('POST /auth/sessions/current/refresh', () => {
  test.each(['client', 'server', 'admin'] as const)('returns a new access token at level %s', async level => {
    const { refreshToken } = await server.make.user({ project });
    const answer = await refresh(refreshToken, { level });
    expect(outcome(answer)).toEqual({ status: 200, body: { access_token: aToken } });
  });

  test('returns a valid access token, and the refresh token stays valid', async () => {
    const { refreshToken, userId } = await server.make.user({ project });
    for (const _ of [1, 2, 3]) {
      const { access_token: accessToken } = (await refresh(refreshToken)).json as { access_token: string };
      const me = await server.call('GET /users/me', { project, accessToken });
      expect(me.json).toMatchObject({ id: userId });
    }
  });

  test('a request without the refresh token header is refused with SCHEMA_ERROR', async () => {
    const answer = await server.call('POST /auth/sessions/current/refresh', { project });
    const message = expect.stringContaining('headers.x-stack-refresh-token must be defined');
    expect(outcome(answer)).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: { message } });
  });

  test.each([
    ['unknown', unknown],
    ['empty', ''],
    ['long', 'a'.repeat(5000)],
    ['not a token', "' or true --"],
  ])('a refresh token that is %s is refused', async (_, token) => {
    const answer = await refresh(unknown, { headers: { 'x-stack-refresh-token': token || ' ' } });
    expect(outcome(answer)).toEqual(gone);
  });

  test('a refresh token in capitals is refused', async () => {
    const { refreshToken } = await server.make.user({ project });
    expect(outcome(await refresh(refreshToken.toUpperCase()))).toEqual(gone);
  });

  test('control 92: a refresh token of another project is refused', async () => {
    const other = await server.make.project();
    const { refreshToken } = await server.make.user({ project: other });
    expect(outcome(await refresh(refreshToken))).toEqual(gone);
    expect((await refresh(refreshToken, { project: other })).status).toBe(200);
  });

  test('an expired access token in the same request is refused first', async () => {
    const { refreshToken, accessToken } = await server.make.user({ project });
    server.clock.advance(600_000);
    const answer = await refresh(refreshToken, { accessToken });
    const details = { expired_at_millis: server.clock.now() };
    expect(outcome(answer)).toEqual({ status: 401, code: 'ACCESS_TOKEN_EXPIRED', details });
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('the body is ignored', async () => {
    const { refreshToken } = await server.make.user({ project });
    expect((await refresh(refreshToken, { body: { any: ['thing'] } })).status).toBe(200);
  });
});

describe('a session', () => {
  test('lives 365 days, and a refresh does not extend it', async () => {
    const { refreshToken } = await server.make.user({ project });
    server.clock.advance(sessionLifetimeMs - 1);
    expect((await refresh(refreshToken)).status).toBe(200);
    server.clock.advance(1);
    expect(outcome(await refresh(refreshToken))).toEqual(gone);
  });

  test('control 32: ends at once when the user signs out', async () => {
    const { refreshToken, accessToken } = await server.make.user({ project });
    await server.call('DELETE /auth/sessions/current', { project, accessToken });
    expect(outcome(await refresh(refreshToken))).toEqual(gone);
  });

  test('control 32: ends at once when the user is deleted', async () => {
    const { refreshToken, accessToken } = await server.make.user({ project });
    await server.call('DELETE /users/me', { project, accessToken });
    expect(outcome(await refresh(refreshToken))).toEqual(gone);
  });

  test.each([{ password: 'a new password' }, { password: null }])(
    'control 32: ends at once, with all others of the user, when a server sends %j',
    async body => {
      const { refreshToken, accessToken, email, password } = await server.make.user({ project });
      const second = await server.call('POST /auth/password/sign-in', { project, body: { email, password } });
      await server.call('PATCH /users/me', { project, level: 'server', accessToken, body });
      const { refresh_token: other } = second.json as { refresh_token: string };
      expect([outcome(await refresh(refreshToken)), outcome(await refresh(other))]).toEqual([gone, gone]);
    },
  );

  test('control 32: the end of a session ends its access tokens at once', async () => {
    const { accessToken } = await server.make.user({ project });
    const me = async () => outcome(await server.call('GET /users/me', { project, accessToken }));
    expect(await me()).toMatchObject({ status: 200 });
    await server.call('DELETE /auth/sessions/current', { project, accessToken });
    expect(await me()).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
  });
});

test('control 27: a refresh concurrent with a sign-out never fails with 5xx and never restores the session', async () => {
  const { refreshToken, accessToken } = await server.make.user({ project });
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => refresh(refreshToken)),
    server.call('DELETE /auth/sessions/current', { project, accessToken }),
    ...Array.from({ length: 10 }, () => refresh(refreshToken)),
  ]);
  expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
  expect(outcome(await refresh(refreshToken))).toEqual(gone);
});

test('control 32: a refresh concurrent with the deletion of the user never fails with 5xx or restores the session', async () => {
  const { refreshToken, accessToken } = await server.make.user({ project });
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => refresh(refreshToken)),
    server.call('DELETE /users/me', { project, accessToken }),
    ...Array.from({ length: 10 }, () => refresh(refreshToken)),
  ]);
  expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
  expect(outcome(await refresh(refreshToken))).toEqual(gone);
});
