import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';
import { totpSecretPurpose } from './changes.ts';

let server: TestServer;
let project: ProjectAccess;
let ada: SignedUp;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project({ magicLinkEnabled: true });
  ada = await server.make.user({ project });
});
afterAll(() => server.close());

type Body = Record<string, unknown>;

const update = (body: Body, options: CallOptions = {}) =>
  server.call('PATCH /users/me', { project, accessToken: ada.accessToken, body, ...options });
const atServer = (body: Body, options: CallOptions = {}) => update(body, { level: 'server', ...options });
const schemaError = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };
const text400 = { status: 400, says: 'a sentence' };

async function me(level: 'client' | 'server' = 'server', accessToken = ada.accessToken) {
  return (await server.call('GET /users/me', { project, level, accessToken })).json as Record<string, unknown>;
}

describe('PATCH /users/me', () => {
  test('returns the same user as a read at the level of the caller', async () => {
    for (const level of ['client', 'server'] as const) {
      const answer = await update({ display_name: `at ${level}` }, { level });
      expect(outcome(answer)).toEqual({ status: 200, body: await me(level) });
    }
  });

  test('an empty body changes nothing', async () => {
    const before = await me();
    expect(outcome(await atServer({}))).toEqual({ status: 200, body: before });
  });

  test('a refused update changes none of its fields', async () => {
    const before = await me();
    const wanted = { display_name: 'half', server_metadata: 1, primary_email: 'half@example.com' };
    expect(outcome(await atServer({ ...wanted, passkey_auth_enabled: true }))).toEqual(text400);
    const taken = await server.make.user({ project });
    expect((await atServer({ ...wanted, primary_email: taken.email })).status).toBe(409);
    expect(await me()).toEqual(before);
  });

  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['', null],
    [' ', ' '],
    [null, null],
    [42, '42'],
    [true, 'true'],
    ['<b>Ada</b>\n😀', '<b>Ada</b>\n😀'],
  ])('the display name %j is stored as %j', async (display_name, stored) => {
    expect((await update({ display_name })).json).toMatchObject({ display_name: stored });
  });

  test.each([
    { display_name: ['Ada'] },
    { display_name: { a: 1 } },
    { display_name: 'x'.repeat(10_001) },
    { otp_auth_enabled: 'perhaps' },
    { otp_auth_enabled: null },
    { selected_team_id: 'team' },
    { selected_team_id: '01890a5d-ac96-774b-bcce-b302099a8057' },
    { totp_secret_base64: 'not base64!' },
    { totp_secret_base64: 'YWJj_-==' },
    { totp_secret_base64: 'YWI' },
    { totp_secret_base64: Buffer.alloc(9, 7).toString('base64') },
  ])('the body %j is refused with SCHEMA_ERROR', async body => {
    expect(outcome(await update(body))).toEqual(schemaError);
  });
});

describe('the selected team in PATCH /users/me', () => {
  test('a team without a membership of the user is refused with TEAM_MEMBERSHIP_NOT_FOUND', async () => {
    const selected_team_id = '11111111-1111-4111-8111-111111111111';
    const details = { team_id: selected_team_id, user_id: ada.userId };
    for (const level of ['client', 'server'] as const) {
      const answer = await update({ selected_team_id }, { level });
      expect(outcome(answer)).toEqual({ status: 404, code: 'TEAM_MEMBERSHIP_NOT_FOUND', details });
    }
  });

  test('null selects no team', async () => {
    expect((await update({ selected_team_id: null })).json).toMatchObject({
      selected_team_id: null,
      selected_team: null,
    });
  });
});

describe('sign-in methods in PATCH /users/me', () => {
  test('email codes can be switched on and off, and auth_with_email shows it', async () => {
    const user = await server.make.user({ project });
    await atServer({ password: null }, { accessToken: user.accessToken });
    // The removed password has ended the session.
    const body = { user_id: user.userId };
    const { json } = await server.call('POST /auth/sessions', { project, level: 'server', body });
    const { access_token: accessToken } = json as { access_token: string };
    const flags = async () => {
      const { has_password, otp_auth_enabled, auth_with_email } = await me('client', accessToken);
      return { has_password, otp_auth_enabled, auth_with_email };
    };
    expect(await flags()).toEqual({ has_password: false, otp_auth_enabled: false, auth_with_email: false });
    await update({ otp_auth_enabled: true }, { accessToken });
    expect(await flags()).toEqual({ has_password: false, otp_auth_enabled: true, auth_with_email: true });
    await update({ otp_auth_enabled: false }, { accessToken });
    expect(await flags()).toEqual({ has_password: false, otp_auth_enabled: false, auth_with_email: false });
  });

  test('email codes cannot be switched on in a project without them', async () => {
    const without = await server.make.project();
    const { accessToken } = await server.make.user({ project: without });
    const options = { project: without, accessToken };
    expect(outcome(await update({ otp_auth_enabled: true }, options))).toEqual(text400);
    expect((await update({ otp_auth_enabled: false }, options)).status).toBe(200);
  });

  test('passkeys can only be switched off', async () => {
    expect(outcome(await update({ passkey_auth_enabled: true }))).toEqual(text400);
    expect(outcome(await atServer({ passkey_auth_enabled: true }))).toEqual(text400);
    expect((await update({ passkey_auth_enabled: false })).json).toMatchObject({ passkey_auth_enabled: false });
  });

  test('a TOTP secret is stored encrypted, sets requires_totp_mfa, and is never returned', async () => {
    const { accessToken, userId } = await server.make.user({ project });
    const secret = Buffer.from('12345678901234567890');
    const answer = await update({ totp_secret_base64: secret.toString('base64') }, { accessToken });
    expect(answer.json).toMatchObject({ requires_totp_mfa: true });
    expect(answer.text).not.toContain(secret.toString('base64'));
    const [row] = await server.deps.db.query<{ encrypted: Buffer }>(
      sql`select totp_secret as encrypted from users where project_id = ${project.id} and id = ${userId}`,
    );
    expect(row?.encrypted.includes(secret)).toBe(false);
    expect(server.deps.secrets.decrypt(totpSecretPurpose, row?.encrypted ?? Buffer.of())).toEqual(secret);
    expect((await update({ totp_secret_base64: null }, { accessToken })).json).toMatchObject({
      requires_totp_mfa: false,
    });
  });
});
