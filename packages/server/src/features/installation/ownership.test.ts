import type { AccessLevel } from '@tessera/protocol';
import { outcome } from '@tessera/testing/outcome';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

async function demoId(): Promise<string> {
  const [row] = await server.deps.db.query<{ id: string }>(sql`select demo_project_id as id from installation`);
  return row?.id ?? '';
}

async function ownedBy(userId: string) {
  const [row] = await server.deps.db.query<{ metadata: unknown }>(
    sql`select server_metadata as metadata from users where project_id = 'internal' and id = ${userId}`,
  );
  return row?.metadata;
}

/** Calls with the session of an owner instead of a key. */
function withSession(accessToken: string, projectId: string, level: AccessLevel = 'admin') {
  return server.call('GET /projects/current', {
    level: null,
    headers: {
      'x-stack-access-type': level,
      'x-stack-project-id': projectId,
      'x-stack-admin-access-token': accessToken,
    },
  });
}

const notAdmin = { status: 401, code: 'ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN' };

describe('the first user of internal', () => {
  test('owns internal and Demo', async () => {
    const { userId } = await server.make.user();
    expect(await ownedBy(userId)).toEqual({ managedProjectIds: ['internal', await demoId()] });
    const installation = await server.deps.db.query(sql`select owner_user_id as owner from installation`);
    expect(installation).toEqual([{ owner: userId }]);
  });

  test.each(['client', 'server', 'admin'] as const)('opens both at level %s with a session', async level => {
    const { accessToken } = await server.make.user();
    for (const id of ['internal', await demoId()]) {
      expect(outcome(await withSession(accessToken, id, level))).toMatchObject({ status: 200, body: { id } });
    }
  });

  test('has no access to other projects', async () => {
    const { accessToken } = await server.make.user();
    const other = await server.make.project();
    expect(outcome(await withSession(accessToken, other.id))).toEqual(notAdmin);
    expect(outcome(await withSession(accessToken, '11111111-1111-4111-8111-111111111111'))).toEqual(notAdmin);
  });

  test('has no admin access after the session expired', async () => {
    const { accessToken } = await server.make.user();
    server.clock.advance(600_000);
    const details = { expired_at_millis: server.clock.now() };
    const expired = { status: 401, code: 'ADMIN_ACCESS_TOKEN_EXPIRED', details };
    expect(outcome(await withSession(accessToken, 'internal'))).toEqual(expired);
  });

  test('has no admin access after the account is deleted, and no other user becomes owner', async () => {
    const { accessToken } = await server.make.user();
    await server.call('DELETE /users/me', { level: 'server', accessToken });
    expect(outcome(await withSession(accessToken, 'internal'))).toEqual({ status: 401, says: 'a sentence' });
    const next = await server.make.user();
    expect(await ownedBy(next.userId)).toBeNull();
  });

  test('owns nothing in production with sign-up on', async () => {
    const production = await openTestServer({
      environment: { TESSERA_MODE: 'production', TESSERA_INTERNAL_SIGN_UP: 'on' },
    });
    const { accessToken } = await production.make.user();
    const me = await production.call('GET /users/me', { level: 'server', accessToken });
    const owners = await production.deps.db.query(sql`select owner_user_id as owner from installation`);
    await production.close();
    expect(me.json).toMatchObject({ server_metadata: null });
    expect(owners).toEqual([{ owner: null }]);
  });

  test('owns nothing in production with sign-up on, when it is an anonymous user that was upgraded', async () => {
    const production = await openTestServer({
      environment: { TESSERA_MODE: 'production', TESSERA_INTERNAL_SIGN_UP: 'on' },
    });
    const { access_token: accessToken } = (await production.call('POST /auth/anonymous/sign-up')).json as {
      access_token: string;
    };
    const body = {
      email: 'first@example.com',
      password: 'quiet lantern orbit',
      verification_callback_url: 'http://localhost/',
    };
    await production.call('POST /auth/password/sign-up', { accessToken, body });
    const owners = await production.deps.db.query(sql`select owner_user_id as owner from installation`);
    await production.close();
    expect(owners).toEqual([{ owner: null }]);
  });
});

describe('a user who is not the first of internal', () => {
  test('owns nothing as the second user of internal', async () => {
    await server.make.user();
    const { userId, accessToken } = await server.make.user();
    expect(await ownedBy(userId)).toBeNull();
    expect(outcome(await withSession(accessToken, 'internal'))).toEqual(notAdmin);
  });

  test('owns nothing as the first user of another project, and the first user of internal still becomes owner', async () => {
    const project = await server.make.project();
    const { accessToken } = await server.make.user({ project });
    expect(outcome(await withSession(accessToken, project.id))).toEqual(notAdmin);
    expect(outcome(await withSession(accessToken, 'internal'))).toEqual(notAdmin);
    const { userId } = await server.make.user();
    expect(await ownedBy(userId)).toEqual({ managedProjectIds: ['internal', await demoId()] });
  });

  test('control 101: of many concurrent first users one becomes the owner', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => server.make.user()));
    const owned = await Promise.all(users.map(({ userId }) => ownedBy(userId)));
    expect(owned.filter(metadata => metadata !== null)).toEqual([{ managedProjectIds: ['internal', await demoId()] }]);
  });

  test('a failed sign-up does not create an owner', async () => {
    const body = { email: 'first@example.com', password: 'short', verification_callback_url: 'http://localhost/' };
    await server.call('POST /auth/password/sign-up', { body });
    const installation = await server.deps.db.query(sql`select owner_user_id as owner from installation`);
    expect(installation).toEqual([{ owner: null }]);
  });
});

test('in production a sign-up on internal is refused unless TESSERA_INTERNAL_SIGN_UP is on', async () => {
  const production = await openTestServer({ environment: { TESSERA_MODE: 'production' } });
  const body = {
    email: 'first@example.com',
    password: 'correct horse',
    verification_callback_url: 'http://localhost/',
  };
  const answer = await production.call('POST /auth/password/sign-up', { body });
  await production.close();
  expect(outcome(answer)).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
});

test('in production an anonymous sign-up on internal is refused while sign-up is off', async () => {
  const production = await openTestServer({ environment: { TESSERA_MODE: 'production' } });
  const answer = await production.call('POST /auth/anonymous/sign-up');
  const users = await production.deps.db.query(sql`select id from users`);
  await production.close();
  expect([outcome(answer), users]).toEqual([{ status: 400, code: 'SIGN_UP_NOT_ENABLED' }, []]);
});
