import { mfaAttemptLifetimeMs } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { aSecret, aToken, outcome, stableHeaders } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPasswords, HashingBusy, type Passwords } from '../../../platform/crypto/passwords.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
let hashes: string[] = [];
beforeAll(async () => {
  server = await openTestServer({ passwords: counting(createPasswords()) });
  project = await server.make.project();
});
afterAll(() => server.close());
beforeEach(() => {
  hashes = [];
});

/** Records each hash and each comparison. */
function counting(passwords: Passwords): Passwords {
  return {
    ...passwords,
    hash: (password, projectId) => {
      hashes.push('hash');
      return passwords.hash(password, projectId);
    },
    matches: (password, stored, projectId) => {
      hashes.push('compare');
      return passwords.matches(password, stored, projectId);
    },
  };
}

function signIn(email: string, password: string, options: CallOptions = {}) {
  return server.call('POST /auth/password/sign-in', { project, body: { email, password }, ...options });
}

const password = 'correct horse battery';
const mismatch = { status: 400, code: 'EMAIL_PASSWORD_MISMATCH' };

describe('a sign-in with the right password', () => {
  test('returns three keys', async () => {
    const { userId, email } = await server.make.user({ project });
    const body = { access_token: aToken, refresh_token: aSecret, user_id: userId };
    expect(outcome(await signIn(email, password))).toEqual({ status: 200, body });
  });

  test.each(['upper@example.com', 'UPPER@example.com', 'Upper@Example.Com'])(
    'signs in with the address written as %s',
    async typed => {
      await server.call('POST /auth/password/sign-up', {
        project,
        body: { email: 'uPPer@example.com', password, verification_callback_url: 'http://localhost/' },
      });
      expect((await signIn(typed, password)).status).toBe(200);
    },
  );

  test('control 36: opens a new session each time', async () => {
    const { email, refreshToken } = await server.make.user({ project });
    const [first, second] = [await signIn(email, password), await signIn(email, password)];
    const tokens = [
      refreshToken,
      ...[first, second].map(({ json }) => (json as { refresh_token: string }).refresh_token),
    ];
    expect(new Set(tokens).size).toBe(3);
    const rows = await server.deps.db.query(sql`
      select s.id from sessions s join contact_channels c on c.project_id = s.project_id and c.user_id = s.user_id
      where s.project_id = ${project.id} and c.value = ${email}
    `);
    expect(rows).toHaveLength(3);
  });

  test('costs one comparison and no hash', async () => {
    const { email } = await server.make.user({ project });
    hashes = [];
    await signIn(email, password);
    expect(hashes).toEqual(['compare']);
  });

  test('does not sign in to another project, where the address is another account', async () => {
    const other = await server.make.project();
    await server.make.user({ project, email: 'two@example.com', password: 'the first password' });
    await server.make.user({ project: other, email: 'two@example.com', password: 'the second password' });
    expect(outcome(await signIn('two@example.com', 'the first password', { project: other }))).toEqual(mismatch);
  });
});

describe('a sign-in with an unknown address, a wrong password or no password', () => {
  async function threeCases() {
    const { email } = await server.make.user({ project });
    const without = await server.make.user({ project });
    const { accessToken } = without;
    await server.call('PATCH /users/me', { project, level: 'server', accessToken, body: { password: null } });
    const notForSignIn = await server.make.user({ project });
    await server.call('PATCH /users/me', {
      project,
      level: 'server',
      accessToken: notForSignIn.accessToken,
      body: { primary_email_auth_enabled: false },
    });
    return {
      unknown: 'unknown@example.com',
      wrong: email,
      without: without.email,
      notForSignIn: notForSignIn.email,
      empty: '',
    };
  }

  test('control 2: returns the same status, headers and body in each case', async () => {
    const answers = [];
    for (const [name, address] of Object.entries(await threeCases())) {
      const { status, headers, text } = await signIn(address, name === 'wrong' ? 'wrong horse' : password);
      answers.push({ status, headers: stableHeaders(headers), text });
    }
    expect(answers).toEqual(Array(5).fill(answers[0]));
    expect(answers[0]).toMatchObject({ status: 400, headers: { 'x-stack-known-error': 'EMAIL_PASSWORD_MISMATCH' } });
  });

  test('control 1: costs one comparison in each case', async () => {
    for (const [name, address] of Object.entries(await threeCases())) {
      hashes = [];
      await signIn(address, name === 'wrong' ? 'wrong horse' : password);
      expect([name, hashes]).toEqual([name, ['compare']]);
    }
  });

  test('leaves no session', async () => {
    const { email } = await server.make.user({ project });
    const count = () => server.deps.db.query(sql`select id from sessions where project_id = ${project.id}`);
    const before = (await count()).length;
    await signIn(email, 'wrong horse');
    expect(await count()).toHaveLength(before);
  });

  test.each([
    '',
    ' ',
    'correct horse batter',
    'correct horse battery ',
    'Correct horse battery',
    'correct horse battery\u200b',
  ])('%j is a wrong password', async wrong => {
    const { email } = await server.make.user({ project });
    expect(outcome(await signIn(email, wrong))).toEqual(mismatch);
  });
});

describe('a sign-in body that fails the schema', () => {
  test.each([
    [{ email: 'nonsense', password }],
    [{ email: ' a@example.com', password }],
    [{ email: null, password }],
    [{ email: 'a@example.com', password: 'x'.repeat(71) }],
    [{ email: 'a@example.com', password: null }],
    [{ email: 'a@example.com' }],
    [{ password }],
    [{ email: 'a@example.com', password, remember: true }],
    [null],
    [[]],
  ])('%j is refused with SCHEMA_ERROR', async body => {
    const answer = await server.call('POST /auth/password/sign-in', { project, body });
    expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    expect(hashes).toEqual([]);
  });
});

test('a project with passwords off refuses a sign-in before it hashes anything', async () => {
  const off = await server.make.project({ credentialEnabled: false });
  const answer = await signIn('ada@example.com', password, { project: off });
  expect(outcome(answer)).toEqual({ status: 400, code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED' });
  expect(hashes).toEqual([]);
});

describe('control 61: a user with a second factor', () => {
  async function protectedUser() {
    const user = await server.make.user({ project });
    const { accessToken } = user;
    await server.call('PATCH /users/me', {
      project,
      accessToken,
      body: { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' },
    });
    return user;
  }

  test('gets an attempt code, and neither token nor session', async () => {
    const { email, userId } = await protectedUser();
    const sessions = () =>
      server.deps.db.query(sql`select id from sessions where project_id = ${project.id} and user_id = ${userId}`);
    const before = await sessions();
    const answer = await signIn(email, password);
    const details = { attempt_code: aSecret };
    expect(outcome(answer)).toEqual({ status: 400, code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED', details });
    expect(await sessions()).toEqual(before);
    const codes = await server.deps.db.query(sql`
      select kind, address, data, attempts, expires_at_millis - created_at_millis as "lifetimeMs"
      from one_time_codes where project_id = ${project.id} and user_id = ${userId} and kind = 'mfa_attempt'
    `);
    const data = { isNewUser: false, method: 'password' };
    expect(codes).toEqual([
      { kind: 'mfa_attempt', address: null, data, attempts: 0, lifetimeMs: mfaAttemptLifetimeMs },
    ]);
  });

  test('gets no attempt code for a wrong password', async () => {
    const { email } = await protectedUser();
    expect(outcome(await signIn(email, 'wrong horse'))).toEqual(mismatch);
  });
});

test('control 9: a full hashing queue is refused with 429 and Retry-After, and creates nothing', async () => {
  const busy = () => Promise.reject(new HashingBusy('full'));
  const full = await openTestServer({ beside: server, passwords: { ...createPasswords(), hash: busy, matches: busy } });
  const body = { email: 'busy@example.com', password };
  const signUp = await full.call('POST /auth/password/sign-up', {
    project,
    body: { ...body, verification_callback_url: 'http://localhost/' },
  });
  const answers = [signUp, await full.call('POST /auth/password/sign-in', { project, body })];
  await full.close();
  expect(answers.map(outcome)).toEqual(Array(2).fill({ status: 429, says: 'a sentence' }));
  expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1']);
  expect(outcome(await signIn('busy@example.com', password))).toEqual(mismatch);
});
