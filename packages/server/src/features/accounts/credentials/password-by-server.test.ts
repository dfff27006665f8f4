import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPasswords } from '../../../platform/crypto/passwords.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
});
afterAll(() => server.close());

const update = ({ accessToken }: SignedUp, body: object, where = project) =>
  server.call('PATCH /users/me', { project: where, level: 'server', accessToken, body });
const signIn = (email: string, password: string) =>
  server.call('POST /auth/password/sign-in', { project, body: { email, password } });
const sessionsOf = ({ userId }: SignedUp) =>
  server.deps.db.query(sql`select id from sessions where project_id = ${project.id} and user_id = ${userId}`);
const text400 = { status: 400, says: 'a sentence' };

test.each(['a new password', 'short', '', ' '.repeat(70)])('the password %j replaces the old one', async password => {
  const user = await server.make.user({ project });
  expect((await update(user, { password })).json).toMatchObject({ has_password: true });
  expect((await signIn(user.email, user.password)).status).toBe(400);
  expect((await signIn(user.email, password)).status).toBe(200);
});

test('password null removes the password and ends all sessions', async () => {
  const user = await server.make.user({ project });
  expect((await update(user, { password: null })).json).toMatchObject({ has_password: false, auth_with_email: false });
  expect((await signIn(user.email, user.password)).status).toBe(400);
  expect(await sessionsOf(user)).toEqual([]);
});

test.each([{ password: 'x'.repeat(71) }, { password_hash: '' }, { password_hash: null }, { password: ['x'] }])(
  '%j is refused with SCHEMA_ERROR and ends no session',
  async body => {
    const user = await server.make.user({ project });
    expect(outcome(await update(user, body))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    expect(await sessionsOf(user)).toHaveLength(1);
  },
);

test('a request with both a password and a hash is refused', async () => {
  const user = await server.make.user({ project });
  const password_hash = `$2b$10$${'a'.repeat(53)}`;
  expect(outcome(await update(user, { password: 'a new password', password_hash }))).toEqual(text400);
  expect(outcome(await update(user, { password: null, password_hash }))).toEqual(text400);
  expect(await sessionsOf(user)).toHaveLength(1);
});

test('with passwords switched off, a server can change a password but not set a first one', async () => {
  const off = await server.make.project();
  const [having, without] = [await server.make.user({ project: off }), await server.make.user({ project: off })];
  await update(without, { password: null }, off);
  const config = JSON.stringify({ allowLocalhost: true, credentialEnabled: false });
  await server.deps.db.query(sql`update projects set config = ${config} where id = ${off.id}`);
  const beside = await openTestServer({ beside: server });
  const change = ({ userId }: SignedUp) =>
    beside.call('PATCH /users/{user_id}', {
      project: off,
      level: 'server',
      params: { user_id: userId },
      body: { password: 'a new password' },
    });
  const answers = [await change(having), await change(without)];
  await beside.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
});

test('an update that hashes a password while the user is deleted fails cleanly and stores nothing', async () => {
  const user = await server.make.user({ project });
  await update(user, { primary_email: null });
  const passwords = createPasswords();
  const hash = async (password: string, projectId: string) => {
    await server.deps.db.query(sql`delete from users where project_id = ${project.id} and id = ${user.userId}`);
    return passwords.hash(password, projectId);
  };
  const beside = await openTestServer({ beside: server, passwords: { ...passwords, hash } });
  const body = { password: 'a new password', primary_email: 'ghost@example.com' };
  const options = { project, level: 'server', accessToken: user.accessToken, body } as const;
  const answer = await beside.call('PATCH /users/me', options);
  await beside.close();
  expect(answer.status).toBeLessThan(500);
  const rows = await server.deps.db.query(sql`select id from contact_channels where value = 'ghost@example.com'`);
  expect(rows).toEqual([]);
});
