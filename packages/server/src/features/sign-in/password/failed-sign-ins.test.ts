import { auditFailuresOfKindMax, auditFailureWindowMs } from '@tessera/protocol';
import { createAuthenticator } from '@tessera/testing/authenticator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openPasskeyScene, type PasskeyScene } from '../passkey/ceremonies.fixtures.ts';
import {
  auditedFailures,
  inOrder,
  noCode,
  openScene,
  type Person,
  plainPasswords,
  type Scene,
} from '../scene.fixtures.ts';
import { totpOf } from '../totp.fixtures.ts';

let server: TestServer;
let passkeys: PasskeyScene;
let scene: Scene;
let ada: Person;
let email: string;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  passkeys = await openPasskeyScene(server);
  ({ scene } = passkeys);
  email = scene.address();
  ada = await scene.person({
    primary_email: email,
    primary_email_auth_enabled: true,
    primary_email_verified: true,
    password,
  });
});

const password = 'correct horse';
const failures = () => auditedFailures(server, scene.project);

describe('control 97: the audit log records a refused sign-in', () => {
  test('with a password', async () => {
    const signIn = (body: object) => () => scene.call('POST /auth/password/sign-in', { body });
    await inOrder(server, [signIn({ email, password: 'wrong' }), signIn({ email: scene.address(), password })]);
    expect(await failures()).toEqual([
      { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH', userId: ada.id },
      { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH', userId: null },
    ]);
  });

  test('with an email code, and the account once it is known', async () => {
    const code = await scene.code('sign_in', { address: email, data: {} });
    const params = { user_id: ada.id };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params, body: { primary_email_verified: false } });
    const signIn = (given: string) => () => scene.call('POST /auth/otp/sign-in', { body: { code: given } });
    await inOrder(server, [noCode, code, code].map(signIn));
    expect(await failures()).toEqual([
      { method: 'otp', reason: 'VERIFICATION_CODE_NOT_FOUND', userId: null },
      { method: 'otp', reason: 'USER_EMAIL_ALREADY_EXISTS', userId: ada.id },
      { method: 'otp', reason: 'VERIFICATION_CODE_ALREADY_USED', userId: null },
    ]);
  });

  test('with an email code, where the refusal is a text error, with its cause', async () => {
    const code = await scene.code('sign_in', { address: scene.address(), data: {} });
    await scene.configure({ magicLinkEnabled: false });
    await scene.call('POST /auth/otp/sign-in', { body: { code } });
    const reason = 'Sign-in by email code is switched off for this project.';
    expect(await failures()).toEqual([{ method: 'otp', reason, cause: 'otp_disabled', userId: null }]);
  });

  test('with a second factor', async () => {
    const body = { totp_secret_base64: totpOf.secretBase64 };
    await scene.call('PATCH /users/me', { accessToken: ada.accessToken, body });
    const code = await scene.code('mfa_attempt', { userId: ada.id, data: { isNewUser: false } });
    const right = totpOf.now(server.clock.now());
    const attempt = (given: string, totp: string) => () =>
      scene.call('POST /auth/mfa/sign-in', { body: { code: given, type: 'totp', totp } });
    await inOrder(server, [attempt(noCode, right), ...Array(5).fill(attempt(code, 'wrong')), attempt(code, right)]);
    const wrong = { method: 'totp', reason: 'INVALID_TOTP_CODE', userId: ada.id };
    expect(await failures()).toEqual([
      { method: 'totp', reason: 'VERIFICATION_CODE_NOT_FOUND', userId: null },
      ...Array(5).fill(wrong),
      { method: 'totp', reason: 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', userId: null },
    ]);
  });

  test('with a second factor that was switched off meanwhile', async () => {
    const code = await scene.code('mfa_attempt', { userId: ada.id, data: { isNewUser: false } });
    await scene.call('POST /auth/mfa/sign-in', { body: { code, type: 'totp', totp: '123456' } });
    expect(await failures()).toEqual([{ method: 'totp', reason: 'INVALID_TOTP_CODE', userId: ada.id }]);
  });

  test('with a passkey', async () => {
    const authenticator = await passkeys.passkeyOf(ada);
    await inOrder(server, [
      () => passkeys.signInWith(authenticator, { otherKey: true }),
      () => passkeys.signInWith(createAuthenticator()),
      () => passkeys.signIn(noCode, {}),
      async () => passkeys.signIn((await passkeys.requestOptions()).code, { id: 'malformed' }),
    ]);
    expect(await failures()).toEqual([
      { method: 'passkey', reason: 'PASSKEY_AUTHENTICATION_FAILED', userId: ada.id },
      { method: 'passkey', reason: 'PASSKEY_AUTHENTICATION_FAILED', userId: null },
      { method: 'passkey', reason: 'VERIFICATION_CODE_NOT_FOUND', userId: null },
      { method: 'passkey', reason: 'SCHEMA_ERROR', userId: null },
    ]);
  });

  test('a right first factor and a successful sign-in are not recorded', async () => {
    const body = { totp_secret_base64: totpOf.secretBase64 };
    await scene.call('PATCH /users/me', { accessToken: ada.accessToken, body });
    await scene.call('POST /auth/password/sign-in', { body: { email, password } });
    const code = await scene.code('sign_in', { address: email, data: {} });
    await scene.call('POST /auth/otp/sign-in', { body: { code } });
    expect(await failures()).toEqual([]);
  });
});

test('control 97: a flood of wrong passwords from one address writes 10 rows per window, and a count of the others', async () => {
  const { db, audit } = server.deps;
  const flooded = await openScene(server, { credentialEnabled: true });
  const rows = () =>
    db.query<{ details: unknown }>(
      sql`select details from audit_events where project_id = ${flooded.project.id} and action = 'sign_in.failed' order by at_millis, id`,
    );
  for (let attempt = 0; attempt < 30; attempt++) {
    server.clock.advance(1);
    const body = { email: `unknown-${attempt}@example.com`, password: 'wrong password' };
    await flooded.call('POST /auth/password/sign-in', { peerAddress: '203.0.113.99', body });
  }
  const details = { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' };
  const first = Array.from({ length: auditFailuresOfKindMax }, () => ({ details }));
  expect(await rows()).toEqual(first);
  server.clock.advance(auditFailureWindowMs);
  await audit.flush();
  expect(await rows()).toEqual([...first, { details: { ...details, count: 20 } }]);
});
