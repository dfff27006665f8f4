import type { CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { whileDeleting, whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { deleteSessions } from '../../sessions/index.ts';
import { invalid, openScene, type Person, plainPasswords, refused, type Scene, success } from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
const passwords = plainPasswords();
beforeAll(async () => {
  server = await openTestServer({ passwords });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
});

const old = 'the old password';
const next = 'the next password';
const off = { status: 400, code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED' };
const tooShort = { status: 400, code: 'PASSWORD_TOO_SHORT', details: { min_length: 8 } };
const mismatch = { status: 400, code: 'PASSWORD_CONFIRMATION_MISMATCH' };

const account = (email: string, more: object = {}) => ({
  primary_email: email,
  primary_email_auth_enabled: true,
  ...more,
});
const set = (who: CallOptions, password: unknown = next) =>
  scene.call('POST /auth/password/set', { ...who, body: { password } });
const update = (who: CallOptions, body: object = {}) =>
  scene.call('POST /auth/password/update', { ...who, body: { old_password: old, new_password: next, ...body } });
const signIn = (email: string, password: string) =>
  scene.call('POST /auth/password/sign-in', { body: { email, password } });
const as = ({ accessToken }: Person) => ({ accessToken });
const withPassword = (email = scene.address()) => scene.person(account(email, { password: old }));

describe('POST /auth/password/set', () => {
  test.each(['client', 'server', 'admin'] as const)('sets a first password at level %s', async level => {
    const email = scene.address();
    const ada = await scene.person(account(email));
    expect(await set({ ...as(ada), level })).toEqual(success);
    expect(await signIn(email, next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
    expect(await scene.userById(ada.id)).toMatchObject({ has_password: true, auth_with_email: true });
  });

  test('keeps the sessions, and needs no address', async () => {
    const ada = await scene.person();
    const second = await scene.session(ada.id);
    expect(await set(as(ada))).toEqual(success);
    expect([await scene.isLive(ada), await scene.isLive(second)]).toEqual([true, true]);
    expect(await scene.userById(ada.id)).toMatchObject({ has_password: true, primary_email: null });
  });

  test('an anonymous user who sets a password stays anonymous', async () => {
    await scene.configure({ anonymousUsersEnabled: true });
    const ada = await scene.anonymous();
    expect(await set(as(ada))).toEqual(success);
    expect(await scene.userById(ada.id)).toMatchObject({ has_password: true, is_anonymous: true });
  });

  test('is refused for a user with a password', async () => {
    const email = scene.address();
    const ada = await withPassword(email);
    expect(await set(as(ada))).toEqual(refused(400));
    expect(await signIn(email, old)).toMatchObject({ status: 200 });
  });

  test('of concurrent requests one sets the first password', async () => {
    const ada = await scene.person();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => set(as(ada), `password ${index}`)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(refused(400)));
  });

  test('a request without a user is refused', async () => {
    for (const level of ['client', 'server', 'admin'] as const) {
      const message = expect.stringContaining('auth.user must be defined');
      expect(await set({ level })).toEqual({ ...invalid, details: { message } });
    }
  });

  test('checks whether passwords are on, then the length, then whether there is a password', async () => {
    const ada = await withPassword();
    expect(await set(as(ada), '1234567')).toEqual(tooShort);
    expect(await set(as(ada), '')).toEqual(tooShort);
    await scene.configure({ credentialEnabled: false });
    expect(await set(as(ada), '1234567')).toEqual(off);
  });

  test.each([[null], [{}], ['x'.repeat(71)]])('a password of %j is refused', async password => {
    const ada = await scene.person();
    expect(await set(as(ada), password)).toEqual(invalid);
  });

  test('control 90: changes nothing else', async () => {
    const ada = await scene.person();
    for (const body of [{ password: next, user_id: ada.id }, {}]) {
      expect(await scene.call('POST /auth/password/set', { ...as(ada), body })).toEqual(invalid);
    }
  });
});

describe('POST /auth/password/update', () => {
  test.each(['client', 'server', 'admin'] as const)('changes the password at level %s', async level => {
    const email = scene.address();
    const ada = await withPassword(email);
    expect(await update({ ...as(ada), level })).toEqual(success);
    expect(await signIn(email, next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
    expect(await signIn(email, old)).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
  });

  test('control 10: keeps the session of the header, and ends all others', async () => {
    const ada = await withPassword();
    const second = await scene.session(ada.id);
    expect(await update({ ...as(ada), refreshToken: ada.refreshToken })).toEqual(success);
    expect([await scene.isLive(ada), await scene.isLive(second)]).toEqual([true, false]);
  });

  test("control 10: without the header ends the caller's session too", async () => {
    const ada = await withPassword();
    const second = await scene.session(ada.id);
    expect(await update(as(ada))).toEqual(success);
    expect([await scene.isLive(ada), await scene.isLive(second)]).toEqual([false, false]);
  });

  test("with the token of another user, or an unknown one, ends the caller's session and no session of the other user", async () => {
    for (const header of ['unknown', 'of another user'] as const) {
      const [ada, eve] = [await withPassword(), await withPassword()];
      const refreshToken = header === 'unknown' ? '0'.repeat(45) : eve.refreshToken;
      expect(await update({ ...as(ada), refreshToken })).toEqual(success);
      expect([await scene.isLive(ada), await scene.isLive(eve)]).toEqual([false, true]);
    }
  });

  test('a wrong old password changes nothing', async () => {
    const email = scene.address();
    const ada = await withPassword(email);
    for (const old_password of ['', 'wrong', `${old} `, old.toUpperCase()]) {
      expect(await update(as(ada), { old_password })).toEqual(mismatch);
    }
    expect(await scene.isLive(ada)).toBe(true);
    expect(await signIn(email, old)).toMatchObject({ status: 200 });
  });

  test('of two concurrent changes one succeeds', async () => {
    const ada = await withPassword();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update(as(ada), { new_password: `password ${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(mismatch));
  });

  test('checks whether passwords are on, the length, whether there is a password, then the old password', async () => {
    const [ada, bob] = [await withPassword(), await scene.person()];
    const wrong = { old_password: 'wrong' };
    passwords.work.length = 0;
    expect(await update(as(ada), { ...wrong, new_password: '1234567' })).toEqual(tooShort);
    expect(await update(as(bob), { ...wrong, new_password: '1234567' })).toEqual(tooShort);
    expect(await update(as(bob), wrong)).toEqual({ status: 400, code: 'USER_DOES_NOT_HAVE_PASSWORD' });
    expect(passwords.work).toEqual([]);
    expect(await update(as(ada), wrong)).toEqual(mismatch);
    await scene.configure({ credentialEnabled: false });
    expect(await update(as(bob), { ...wrong, new_password: '1234567' })).toEqual(off);
  });

  test('a request without a user is refused', async () => {
    const message = expect.stringContaining('auth.user must be defined');
    for (const level of ['client', 'server', 'admin'] as const) {
      expect(await update({ level })).toEqual({ ...invalid, details: { message } });
    }
  });

  test.each([
    { old_password: undefined },
    { new_password: undefined },
    { old_password: null },
    { old_password: 'x'.repeat(71) },
    { new_password: 'x'.repeat(71) },
    { more: 1 },
  ])('a body of %j is refused', async body => {
    expect(await update(as(await withPassword()), body)).toEqual(invalid);
  });

  test('a user who is deleted during the request does not cause a 500', async () => {
    const ada = await withPassword();
    const answer = await whileDeleting(server, ada.id, () => update(as(ada)));
    expect(answer.status).toBe(400);
  });
});

test('control 30: an access token of another project is refused by set and update', async () => {
  const elsewhere = await openScene(server);
  const ada = await elsewhere.person();
  const details = { expected_project_id: scene.project.id, actual_project_id: elsewhere.project.id };
  const foreign = { status: 401, code: 'INVALID_PROJECT_FOR_ACCESS_TOKEN', details };
  expect([await set(as(ada)), await update(as(ada))]).toEqual([foreign, foreign]);
});

test.each([
  ['set', (email: string) => scene.person(account(email)), set],
  ['update', withPassword, update],
] as const)('control 32: a session that ends meanwhile cannot %s a password', async (_, make, change) => {
  const email = scene.address();
  const ada = await make(email);
  const answer = await whileHolding(server, ada.id, {
    work: () => change(as(ada)),
    meanwhile: tx => deleteSessions(tx, scene.project.id, ada.id, null),
  });
  expect(answer).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
  expect(await signIn(email, next)).toMatchObject({ code: 'EMAIL_PASSWORD_MISMATCH' });
});

test('control 32: a session that a password change ends is deleted from the database', async () => {
  const ada = await withPassword();
  await update(as(ada));
  expect(await server.deps.db.query(sql`select id from sessions where user_id = ${ada.id}`)).toEqual([]);
});
