import { createHash } from 'node:crypto';
import { emailVerificationLifetimeMs } from '@tessera/protocol';
import { type CallOptions, callApp, type ProjectAccess } from '@tessera/testing/call';
import { asAdministrator } from '@tessera/testing/database';
import { anId, aSecret, aToken, outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../compose.ts';
import { createPasswords } from '../../../platform/crypto/passwords.ts';
import { DatabaseAway } from '../../../platform/database/database.ts';
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

const callback = 'http://localhost:3000/verify';

function signUp(body: Record<string, unknown>, options: CallOptions = {}) {
  const whole = { password: 'correct horse', verification_callback_url: callback, ...body };
  return server.call('POST /auth/password/sign-up', { project, body: whole, ...options });
}

const tables = ['users', 'one_time_codes', 'mails', 'sessions', 'events'];

async function countOf(table: string, projectId: string): Promise<number> {
  const { rows } = await asAdministrator(server.connection, client =>
    client.query(`select project_id from ${table} where project_id = $1`, [projectId]),
  );
  return rows.length;
}

describe('a password sign-up', () => {
  test('returns three keys', async () => {
    const answer = await signUp({ email: 'three@example.com' });
    expect(outcome(answer)).toEqual({
      status: 200,
      body: { access_token: aToken, refresh_token: aSecret, user_id: anId },
    });
  });

  test('succeeds when its email cannot be counted after the commit', async () => {
    vi.spyOn(server.deps.rateLimits, 'count').mockRejectedValueOnce(new DatabaseAway('away'));
    expect((await signUp({ email: 'not-counted@example.com' })).status).toBe(200);
    expect(server.logged()).toContain('a sent email was not counted');
  });

  test('creates a user with the normalized address: 17 keys in the client view, 20 in the server view', async () => {
    const { userId, accessToken } = await server.make.user({ project, email: 'Ada.Lovelace+X@Example.COM' });
    const client = {
      id: userId,
      primary_email: 'ada.lovelace+x@example.com',
      primary_email_verified: false,
      display_name: null,
      client_metadata: null,
      client_read_only_metadata: null,
      profile_image_url: null,
      signed_up_at_millis: server.clock.now(),
      has_password: true,
      auth_with_email: true,
      oauth_providers: [],
      selected_team_id: null,
      selected_team: null,
      requires_totp_mfa: false,
      otp_auth_enabled: false,
      passkey_auth_enabled: false,
      is_anonymous: false,
    };
    const seenByServer = {
      ...client,
      primary_email_auth_enabled: true,
      server_metadata: null,
      last_active_at_millis: server.clock.now(),
    };
    const read = (level: 'client' | 'server' | 'admin') =>
      server.call('GET /users/me', { project, level, accessToken });
    expect(outcome(await read('client'))).toEqual({ status: 200, body: client });
    expect(outcome(await read('server'))).toEqual({ status: 200, body: seenByServer });
    expect(outcome(await read('admin'))).toEqual({ status: 200, body: seenByServer });
  });

  test('stores only hashes of its verification code, for the normalized address, for one day', async () => {
    const { userId } = await server.make.user({ project, email: 'Code@Example.com' });
    const [message] = await server.mailbox('code@example.com');
    const code = message?.code ?? '';
    expect(code).toEqual(aSecret);
    expect(await codesOf(userId)).toEqual([
      {
        kind: 'email_verification',
        codeHash: createHash('sha256').update(code).digest('hex'),
        nonceHash: createHash('sha256').update(code.slice(6)).digest('hex'),
        address: 'code@example.com',
        data: {},
        attempts: 0,
        createdAtMillis: server.clock.now(),
        expiresAtMillis: server.clock.now() + emailVerificationLifetimeMs,
        usedAtMillis: null,
      },
    ]);
  });

  test('sends a link with the code before the other parameters of the callback', async () => {
    const verification_callback_url = 'http://localhost:3000/verify?next=%2Fhome%20page&code=old&b=2#top';
    await signUp({ email: 'Letter@Example.com', verification_callback_url });
    const [message, ...more] = await server.mailbox('letter@example.com');
    expect(more).toEqual([]);
    expect(message?.subject).toBe('Verify your email at A project');
    expect(message?.link).toMatch(/^http:\/\/localhost:3000\/verify\?code=[0-9a-z]{45}&next=%2Fhome%20page&b=2#top$/);
  });

  test('control 24: neither token is in the database or in the log', async () => {
    const { accessToken, refreshToken, password } = await server.make.user({ project });
    const everything = tables.map(table => `select row_to_json(t)::text as row from ${table} t`).join(' union all ');
    const { rows: dump } = await asAdministrator(server.connection, client => client.query(everything));
    for (const secret of [accessToken, refreshToken, password]) {
      expect(JSON.stringify(dump)).not.toContain(secret);
      expect(server.logged()).not.toContain(secret);
    }
  });

  test('control 8: sign-up stores an argon2id hash with its parameters in the string', async () => {
    const { userId } = await server.make.user({ project });
    const [row] = await server.deps.db.query<{ hash: string }>(
      sql`select password_hash as hash from users where project_id = ${project.id} and id = ${userId}`,
    );
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });
});

describe('a sign-up whose transaction fails', () => {
  test('leaves no rows, and the address can be used', async () => {
    const other = await server.make.project();
    const mail = { send: () => Promise.reject(new Error('the queue is down')) };
    const failing = createApp({ ...server.deps, mail });
    const body = { email: 'left@example.com', password: 'correct horse', verification_callback_url: callback };
    const answer = await callApp(failing, 'POST /auth/password/sign-up', { project: other, body });
    expect(answer.status).toBe(500);
    for (const table of tables) {
      expect([table, await countOf(table, other.id)]).toEqual([table, 0]);
    }
    expect((await signUp({ email: 'left@example.com' }, { project: other })).status).toBe(200);
  });
});

function codesOf(userId: string) {
  return server.deps.db.query(sql`
    select kind, encode(code_hash, 'hex') as "codeHash", encode(nonce_hash, 'hex') as "nonceHash", address, data, attempts,
      created_at_millis as "createdAtMillis", expires_at_millis as "expiresAtMillis", used_at_millis as "usedAtMillis"
    from one_time_codes where project_id = ${project.id} and user_id = ${userId}
  `);
}
