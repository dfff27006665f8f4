import { hash as argon2 } from '@node-rs/argon2';
import { outcome } from '@tessera/testing/outcome';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPasswords, type Passwords } from '../../platform/crypto/passwords.ts';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { publishProjectChange } from '../projects/index.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

/** A second process that runs `meanwhile` after every hash and every comparison of a password. */
function withMeanwhile(meanwhile: () => Promise<unknown>, environment?: Record<string, string>): Promise<TestServer> {
  const passwords = createPasswords();
  const slow: Passwords = {
    ...passwords,
    hash: async (password, projectId) => {
      const hash = await passwords.hash(password, projectId);
      await meanwhile();
      return hash;
    },
    matches: async (password, stored, projectId) => {
      const matches = await passwords.matches(password, stored, projectId);
      await meanwhile();
      return matches;
    },
  };
  return openTestServer({ beside: server, passwords: slow, environment });
}

const mismatch = { status: 400, code: 'EMAIL_PASSWORD_MISMATCH' };
const sessions = () => server.deps.db.query(sql`select id from sessions where project_id = 'internal'`);

test('a password sign-in whose user is deleted during the comparison is refused', async () => {
  const { email, password, userId } = await server.make.user();
  const beside = await withMeanwhile(() => server.deps.db.query(sql`delete from users where id = ${userId}`));
  const answer = await beside.call('POST /auth/password/sign-in', { body: { email, password } });
  await beside.close();
  expect(outcome(answer)).toEqual(mismatch);
});

test('a sign-in with a second factor whose user is deleted during the comparison is refused', async () => {
  const { email, password, userId, accessToken } = await server.make.user();
  await server.call('PATCH /users/me', { accessToken, body: { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' } });
  const beside = await withMeanwhile(() => server.deps.db.query(sql`delete from users where id = ${userId}`));
  const answer = await beside.call('POST /auth/password/sign-in', { body: { email, password } });
  await beside.close();
  expect(outcome(answer)).toEqual(mismatch);
});

test('control 32: the old password opens no session after a password change, not even in a sign-in that began before it', async () => {
  const { email, password, accessToken } = await server.make.user();
  const body = { password: 'another password' };
  const beside = await withMeanwhile(() => server.call('PATCH /users/me', { level: 'server', accessToken, body }));
  const answer = await beside.call('POST /auth/password/sign-in', { body: { email, password } });
  await beside.close();
  expect(outcome(answer)).toEqual(mismatch);
  expect(await sessions()).toEqual([]);
});

test('control 61: a second factor that is switched on during a sign-in is required', async () => {
  const { email, password, accessToken } = await server.make.user();
  const body = { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' };
  const beside = await withMeanwhile(() => server.call('PATCH /users/me', { accessToken, body }));
  const answer = await beside.call('POST /auth/password/sign-in', { body: { email, password } });
  await beside.close();
  expect(outcome(answer)).toMatchObject({ status: 400, code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' });
});

test('a password sign-in succeeds when a concurrent sign-in has replaced the hash', async () => {
  const { email, password, accessToken } = await server.make.user();
  const password_hash = await argon2(password, { memoryCost: 64, timeCost: 1 });
  await server.call('PATCH /users/me', { level: 'server', accessToken, body: { password_hash } });
  const beside = await withMeanwhile(() => server.call('POST /auth/password/sign-in', { body: { email, password } }));
  const answer = await beside.call('POST /auth/password/sign-in', { body: { email, password } });
  await beside.close();
  expect(answer.status).toBe(200);
});

test('a sign-up holds at most one connection, even when its project changes during the request', async () => {
  const publishChange = () => transaction(server.deps.db, tx => publishProjectChange(tx, 'internal', server.deps));
  let beside: TestServer | undefined;
  const dropped = async () => {
    const heard = new Promise<void>(resolve => beside?.deps.databaseNotifications.on('project', () => resolve()));
    await publishChange();
    await heard;
  };
  beside = await withMeanwhile(dropped, { TESSERA_DATABASE_POOL: '1' });
  const body = { email: 'one@example.com', password: 'correct horse', verification_callback_url: 'http://localhost/' };
  const answer = await beside.call('POST /auth/password/sign-up', { body });
  await beside.close();
  expect(answer.status).toBe(200);
});

test('a sign-up that is refused for a taken address leaves no rows behind', async () => {
  const body = { email: 'late@example.com', password: 'correct horse', verification_callback_url: 'http://localhost/' };
  const beside = await withMeanwhile(() => server.call('POST /auth/password/sign-up', { body }));
  const answer = await beside.call('POST /auth/password/sign-up', { body });
  await beside.close();
  const details = { email: 'late@example.com' };
  expect(outcome(answer)).toEqual({ status: 409, code: 'USER_EMAIL_ALREADY_EXISTS', details });
  const counts = await server.deps.db.query(sql`
    select (select count(*) from users) as users, (select count(*) from one_time_codes) as codes,
      (select count(*) from mails) as mails, (select count(*) from sessions) as sessions
  `);
  expect(counts).toEqual([{ users: 1, codes: 1, mails: 1, sessions: 1 }]);
});
