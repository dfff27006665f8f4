import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../platform/crypto/passwords.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

// These tests assert the cost of a hash.
const passwords = createPasswords();
let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords });
  project = await server.make.project();
});
afterAll(async () => {
  await server.close();
  await passwords.close();
});

const mismatch = { status: 400, code: 'EMAIL_PASSWORD_MISMATCH' };

function signIn(email: string, password: string) {
  return server.call('POST /auth/password/sign-in', { project, body: { email, password } });
}

async function userWith(body: { password: string } | { password_hash: string }) {
  const user = await server.make.user({ project });
  const { accessToken } = user;
  const answer = await server.call('PATCH /users/me', { project, level: 'server', accessToken, body });
  return { ...user, answer };
}

async function storedHash(userId: string): Promise<string | undefined> {
  const [row] = await server.deps.db.query<{ hash: string }>(
    sql`select password_hash as hash from users where project_id = ${project.id} and id = ${userId}`,
  );
  return row?.hash;
}

const ours = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe('control 8: an imported hash', () => {
  const password = 'imported password';
  const cheap = { memoryCost: 1024, timeCost: 1, parallelism: 2 };

  test.each([
    ['bcrypt 2b', async () => (await bcrypt(password, 4)).replace(/^\$2./, '$2b')],
    ['bcrypt 2a', async () => (await bcrypt(password, 4)).replace(/^\$2./, '$2a')],
    ['bcrypt 2y', async () => (await bcrypt(password, 5)).replace(/^\$2./, '$2y')],
    ['a cheaper argon2id hash', () => argon2(password, cheap)],
    ['a more expensive argon2id hash', () => argon2(password, { memoryCost: 32_768, timeCost: 3 })],
  ])('%s signs in, and is replaced by an argon2id hash of our parameters', async (_, make) => {
    const imported = await make();
    const { userId, email, answer } = await userWith({ password_hash: imported });
    expect(answer.json).toMatchObject({ has_password: true });
    expect(await storedHash(userId)).toBe(imported);

    expect(outcome(await signIn(email, 'another password'))).toEqual(mismatch);
    expect(await storedHash(userId)).toBe(imported);

    expect((await signIn(email, password)).status).toBe(200);
    expect(await storedHash(userId)).toMatch(ours);
    expect((await signIn(email, password)).status).toBe(200);
    expect(outcome(await signIn(email, 'another password'))).toEqual(mismatch);
  });

  test('a hash with our parameters is not replaced', async () => {
    const { userId, email } = await userWith({ password });
    const before = await storedHash(userId);
    await signIn(email, password);
    expect(await storedHash(userId)).toBe(before);
  });

  test('is replaced when several sign-ins run at the same time, and all succeed', async () => {
    const { userId, email } = await userWith({ password_hash: await bcrypt(password, 4) });
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(email, password)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await storedHash(userId)).toMatch(ours);
    expect((await signIn(email, password)).status).toBe(200);
  });

  test.each([
    ['that no password matches', `$2b$04$${'9'.repeat(53)}`],
    ['with minimal memory', '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b2dWRWJTmaaJObG'],
    ['with a very long salt', `$argon2id$v=19$m=8,t=1,p=1$${'abcd'.repeat(22)}$${'abcd'.repeat(8)}`],
    ['with a very long output', `$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$${'abcd'.repeat(22)}`],
    ['with the shortest output', `$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$${'abcd'.repeat(4)}`],
  ])('a hash %s is a wrong password at sign-in, never a 500', async (_, password_hash) => {
    const { email, answer } = await userWith({ password_hash });
    expect(answer.status).toBe(200);
    expect(outcome(await signIn(email, password))).toEqual(mismatch);
  });

  test.each([
    'text',
    `$2b$10$${'a'.repeat(52)}`,
    '$argon2id$v=19$m=1,t=1,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b2dWRWJTmaaJObG',
  ])('%s is refused with a text 400', async password_hash => {
    const { answer } = await userWith({ password_hash });
    expect(outcome(answer)).toEqual({ status: 400, says: 'a sentence' });
  });
});

describe('control 4: passwords are compared in full length', () => {
  test('two passwords that share their first 72 bytes are different', async () => {
    // 34 characters of four bytes: 136 bytes, 68 UTF-16 units.
    const shared = '😀'.repeat(34);
    const { email } = await userWith({ password: `${shared}ab` });
    expect(outcome(await signIn(email, `${shared}ac`))).toEqual(mismatch);
    expect(outcome(await signIn(email, shared))).toEqual(mismatch);
    expect((await signIn(email, `${shared}ab`)).status).toBe(200);
  });

  test('the last of 70 characters counts', async () => {
    const { email } = await userWith({ password: `${'x'.repeat(69)}y` });
    expect(outcome(await signIn(email, `${'x'.repeat(69)}z`))).toEqual(mismatch);
  });
});

describe('control 5: passwords are compared in Unicode form NFKC', () => {
  const composed = 'caf\u00e9 au lait';
  const decomposed = 'cafe\u0301 au lait';

  test.each([
    ['composed', composed, decomposed],
    ['decomposed', decomposed, composed],
    ['a ligature', 'of\uFB01cial password', 'official password'],
    ['wide letters', '\uFF50\uFF41\uFF53\uFF53word', 'password'],
  ])('a password that was set %s matches its other form', async (_, set, typed) => {
    const { email } = await server.make.user({ project, password: set });
    expect((await signIn(email, typed)).status).toBe(200);
  });

  test('an imported hash of a composed or decomposed password matches that password', async () => {
    for (const form of [composed, decomposed]) {
      const { email } = await userWith({ password_hash: await bcrypt(form, 4) });
      expect([form, (await signIn(email, form)).status]).toEqual([form, 200]);
      expect([form, (await signIn(email, composed)).status]).toEqual([form, 200]);
    }
  });

  test('look-alike letters of different scripts are different', async () => {
    const { email } = await server.make.user({ project, password: 'p\u0430ssword' });
    expect(outcome(await signIn(email, 'password'))).toEqual(mismatch);
  });
});
