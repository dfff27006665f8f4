import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

const signOut = (accessToken?: string, more: object = {}) =>
  server.call('DELETE /auth/sessions/current', { project, accessToken, ...more });
const sessionsOf = (userId: string) =>
  server.deps.db.query(sql`select id from sessions where project_id = ${project.id} and user_id = ${userId}`);

describe('DELETE /auth/sessions/current', () => {
  test.each(['client', 'server', 'admin'] as const)('ends the session of the access token at level %s', async level => {
    const { accessToken, userId } = await server.make.user({ project });
    expect(outcome(await signOut(accessToken, { level }))).toEqual({ status: 200, body: { success: true } });
    expect(await sessionsOf(userId)).toEqual([]);
  });

  test.each([{ body: {} }, { body: { any: 'thing' } }, { body: [] }])('the body %j is ignored', async more => {
    const { accessToken } = await server.make.user({ project });
    expect(outcome(await signOut(accessToken, more))).toEqual({ status: 200, body: { success: true } });
  });

  test('a second sign-out is refused with REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED', async () => {
    const { accessToken } = await server.make.user({ project });
    await signOut(accessToken);
    expect(outcome(await signOut(accessToken))).toEqual({ status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
  });

  test('of ten concurrent sign-outs, one succeeds', async () => {
    const { accessToken } = await server.make.user({ project });
    const answers = await Promise.all(Array.from({ length: 10 }, () => signOut(accessToken)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)]);
  });

  test('leaves the other sessions of the user', async () => {
    const { accessToken, userId, email, password } = await server.make.user({ project });
    await server.call('POST /auth/password/sign-in', { project, body: { email, password } });
    await signOut(accessToken);
    expect(await sessionsOf(userId)).toHaveLength(1);
  });

  test('the refresh token header has no effect', async () => {
    const mine = await server.make.user({ project });
    const theirs = await server.make.user({ project });
    await signOut(mine.accessToken, { refreshToken: theirs.refreshToken });
    expect([await sessionsOf(mine.userId), await sessionsOf(theirs.userId)]).toEqual([
      [],
      [{ id: expect.any(String) }],
    ]);
  });

  test('a request without an access token is refused with ACCESS_TOKEN_EXPIRED and the current time', async () => {
    const { refreshToken } = await server.make.user({ project });
    const expired = { status: 401, code: 'ACCESS_TOKEN_EXPIRED', details: { expired_at_millis: server.clock.now() } };
    expect(outcome(await signOut())).toEqual(expired);
    expect(outcome(await signOut(undefined, { refreshToken }))).toEqual(expired);
  });

  test('an expired access token is refused with its expiry time', async () => {
    const { accessToken } = await server.make.user({ project });
    server.clock.advance(700_000);
    const details = { expired_at_millis: server.clock.now() - 100_000 };
    expect(outcome(await signOut(accessToken))).toEqual({ status: 401, code: 'ACCESS_TOKEN_EXPIRED', details });
  });

  test('a malformed access token is refused with UNPARSABLE_ACCESS_TOKEN', async () => {
    expect(outcome(await signOut('nonsense'))).toEqual({ status: 401, code: 'UNPARSABLE_ACCESS_TOKEN' });
  });

  test('control 92: an access token of another project is refused', async () => {
    const other = await server.make.project();
    const { accessToken } = await server.make.user({ project: other });
    expect(outcome(await signOut(accessToken))).toEqual({
      status: 401,
      code: 'INVALID_PROJECT_FOR_ACCESS_TOKEN',
      details: { expected_project_id: project.id, actual_project_id: other.id },
    });
  });
});
