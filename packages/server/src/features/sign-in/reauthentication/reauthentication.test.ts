import { createAuthenticator } from '@tessera/testing/authenticator';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { allAtOnce, whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { deletePasskeys } from '../../accounts/credentials/index.ts';
import { bodyOf, readSignInOptions } from '../passkey/ceremonies.fixtures.ts';
import {
  expired,
  noCode,
  notFound,
  openScene,
  type Person,
  plainPasswords,
  refused,
  type Scene,
  success,
  used,
} from '../scene.fixtures.ts';

const withinMs = 600_000;
const password = 'correct horse';
const secretText = '12345678901234567890';
const secret = Buffer.from(secretText).toString('base64');

let server: TestServer;
let scene: Scene;
let ada: Person;
let email: string;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_ACCESS_TOKEN_LIFETIME: '24h' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { passkeyEnabled: true, freshSignInWithinMs: withinMs });
  email = scene.address();
  ada = await scene.person({
    primary_email: email,
    primary_email_auth_enabled: true,
    primary_email_verified: true,
    password,
  });
});

const isRefused = { status: 403, code: 'REAUTHENTICATION_REQUIRED' };
const wrongTotp = { status: 400, code: 'INVALID_TOTP_CODE' };
const wrongRecoveryCode = { status: 400, code: 'INVALID_RECOVERY_CODE' };
const totp = () => new TOTP({ secret: Secret.fromUTF8(secretText) }).generate({ timestamp: server.clock.now() });
const as = ({ accessToken }: Pick<Person, 'accessToken'> = ada) => ({ accessToken });

const prove = (body: object, who: Pick<Person, 'accessToken'> = ada) =>
  scene.call('POST /extensions/reauthentication', { ...as(who), body });
const change = (who: Pick<Person, 'accessToken'> = ada) =>
  scene.call('PATCH /users/me', { ...as(who), body: { totp_secret_base64: secret } });

/** A code for a person: the typed part of the email, and the nonce of the response. */
async function emailedCode(who: Person = ada): Promise<string> {
  const sent = await scene.call('POST /extensions/reauthentication/send-code', as(who));
  const { nonce } = bodyOf(sent) as { nonce: string };
  const mail = (await scene.takeEmails()).find(({ template }) => template === 'reauthentication_code');
  return `${mail?.variables.otp}${nonce}`;
}

async function passkeyOf(person: Person) {
  const authenticator = createAuthenticator();
  const begun = await scene.call('POST /auth/passkey/initiate-passkey-registration', as(person));
  const { code, options_json: options } = bodyOf(begun) as {
    code: string;
    options_json: { challenge: string; user: { id: string } };
  };
  const body = { code, credential: authenticator.register(options) };
  await scene.call('POST /auth/passkey/register', { ...as(person), body });
  return authenticator;
}

async function passkeyProof(authenticator: ReturnType<typeof createAuthenticator>, ceremony = {}) {
  const { code, options } = readSignInOptions(await scene.call('POST /auth/passkey/initiate-passkey-authentication'));
  return { passkey: { code, authentication_response: authenticator.signIn(options, ceremony) } };
}

describe('control 68: POST /extensions/reauthentication', () => {
  test('a right password makes an old session fresh, for as long as a sign-in', async () => {
    server.clock.advance(withinMs);
    expect(await change()).toEqual(isRefused);
    expect(await prove({ password })).toEqual(success);
    server.clock.advance(withinMs - 1);
    expect(await change()).toMatchObject({ status: 200 });
    server.clock.advance(1);
    expect(await change()).toEqual(isRefused);
  });

  test('another session of the user stays old', async () => {
    const other = await scene.session(ada.id);
    server.clock.advance(withinMs);
    await prove({ password });
    expect(await change(other)).toEqual(isRefused);
  });

  test('a wrong password is refused and changes nothing', async () => {
    server.clock.advance(withinMs);
    expect(await prove({ password: 'wrong horse' })).toEqual({ status: 400, code: 'PASSWORD_CONFIRMATION_MISMATCH' });
    expect(await change()).toEqual(isRefused);
  });

  test('control 70: wrong passwords are limited with the failed sign-ins of the account', async () => {
    for (let count = 0; count < 10; count++) await prove({ password: 'wrong horse' });
    expect(await prove({ password })).toMatchObject({ status: 429 });
    const body = { email, password };
    expect(await scene.call('POST /auth/password/sign-in', { body })).toMatchObject({ status: 429 });
  });

  test('a user without a password cannot use one', async () => {
    const bob = await scene.person({ primary_email: scene.address() });
    expect(await prove({ password }, bob)).toEqual({ status: 400, code: 'USER_DOES_NOT_HAVE_PASSWORD' });
  });

  test('a project without passwords refuses one', async () => {
    await scene.configure({ credentialEnabled: false });
    expect(await prove({ password })).toEqual({ status: 400, code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED' });
  });

  test('an emailed code works once, and not after its lifetime', async () => {
    server.clock.advance(withinMs);
    const code = await emailedCode();
    expect(await prove({ code })).toEqual(success);
    expect(await change()).toMatchObject({ status: 200 });
    expect(await prove({ code })).toEqual(used);
    const late = await emailedCode();
    server.clock.advance(15 * 60_000);
    expect(await prove({ code: late })).toEqual(expired);
  });

  test('the email goes to the verified primary address and has a code without a link', async () => {
    await scene.call('POST /extensions/reauthentication/send-code', as());
    expect(await scene.takeEmails()).toEqual([
      { template: 'reauthentication_code', recipient: email, variables: { otp: expect.stringMatching(/^\w{6}$/) } },
    ]);
  });

  test('no code is sent to an unverified address', async () => {
    const bob = await scene.person({ primary_email: scene.address(), password });
    const sent = await scene.call('POST /extensions/reauthentication/send-code', as(bob));
    expect(sent).toEqual({ status: 400, code: 'EMAIL_NOT_VERIFIED' });
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('control 72: the emails of one recipient are limited', async () => {
    const send = () => scene.call('POST /extensions/reauthentication/send-code', as());
    for (let count = 0; count < 5; count++) expect(await send()).toMatchObject({ status: 200 });
    expect(await send()).toMatchObject({ status: 429 });
  });

  test('the code of another user, a sign-in code and an unknown code are refused', async () => {
    const bob = await scene.person({ primary_email: scene.address(), primary_email_verified: true });
    const ofBob = await emailedCode(bob);
    const signIn = await scene.code('sign_in', { userId: ada.id, address: email, data: {} });
    for (const code of [ofBob, signIn, noCode]) expect(await prove({ code })).toEqual(notFound);
    expect(await prove({ code: ofBob }, bob)).toEqual(success);
  });

  test('a code is refused when the primary address has changed since', async () => {
    const code = await emailedCode();
    const body = { primary_email: scene.address(), primary_email_verified: true };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: ada.id }, body });
    expect(await prove({ code })).toEqual(notFound);
    expect(await prove({ code: await emailedCode() })).toEqual(success);
  });

  test('a code of a reauthentication does not sign in', async () => {
    const code = await emailedCode();
    expect(await scene.call('POST /auth/otp/sign-in', { body: { code } })).toEqual(notFound);
  });

  test('a passkey of the user is accepted once per challenge', async () => {
    const proof = await passkeyProof(await passkeyOf(ada));
    server.clock.advance(30_000);
    expect(await prove(proof)).toEqual(success);
    expect(await prove(proof)).toEqual(used);
  });

  test('a passkey of another user is refused', async () => {
    const bob = await scene.person({ primary_email: scene.address() });
    const proof = await passkeyProof(await passkeyOf(bob));
    expect(await prove(proof)).toEqual({ status: 400, code: 'PASSKEY_AUTHENTICATION_FAILED' });
  });

  test('a passkey that is removed while its answer is checked proves nothing', async () => {
    const proof = await passkeyProof(await passkeyOf(ada));
    const answer = await whileHolding(server, ada.id, {
      work: () => prove(proof),
      meanwhile: tx => deletePasskeys(tx, { projectId: scene.project.id, userId: ada.id }),
    });
    expect(answer).toEqual({ status: 400, code: 'PASSKEY_AUTHENTICATION_FAILED' });
  });

  test('a project without passkeys refuses one', async () => {
    const proof = await passkeyProof(await passkeyOf(ada));
    await scene.configure({ passkeyEnabled: false });
    expect(await prove(proof)).toEqual({ status: 400, code: 'PASSKEY_AUTHENTICATION_NOT_ENABLED' });
  });

  test('control 34: an impersonation session cannot reauthenticate or get a code', async () => {
    const impersonation = await scene.session(ada.id, { is_impersonation: true });
    expect(await prove({ password }, impersonation)).toEqual(refused(403));
    expect(await scene.call('POST /extensions/reauthentication/send-code', as(impersonation))).toEqual(refused(403));
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('an ended session cannot reauthenticate', async () => {
    await scene.call('DELETE /auth/sessions/current', as());
    expect(await prove({ password })).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
  });

  test('a body with two proofs or none is refused', async () => {
    const twoFactors = { password, totp: '123456', recovery_code: '0000' };
    for (const body of [{}, { totp: '123456' }, { password, code: noCode }, { passkey: null }, twoFactors]) {
      expect(await prove(body)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    }
  });

  test('control 97: a success and a failure are in the audit log', async () => {
    await prove({ password: 'wrong horse' });
    await prove({ password });
    const events = await server.deps.db.query(sql`
      select action, details from audit_events
      where project_id = ${scene.project.id} and user_id = ${ada.id} and details ->> 'method' like '%password'
      order by action
    `);
    expect(events).toEqual([
      { action: 'session.reauthenticated', details: { method: 'password' } },
      {
        action: 'sign_in.failed',
        details: { method: 'reauthentication:password', reason: 'PASSWORD_CONFIRMATION_MISMATCH' },
      },
    ]);
  });
});

describe('control 61: with two-step verification', () => {
  beforeEach(async () => {
    await change();
    server.clock.advance(withinMs);
  });

  test('a password alone is refused, with a TOTP code it is accepted', async () => {
    expect(await prove({ password })).toEqual(wrongTotp);
    expect(await prove({ password, totp: '000000' })).toEqual(wrongTotp);
    expect(await prove({ password, totp: totp() })).toEqual(success);
  });

  test('a TOTP code that was accepted is not accepted again', async () => {
    const number = totp();
    expect(await prove({ password, totp: number })).toEqual(success);
    expect(await prove({ password, totp: number })).toEqual(wrongTotp);
  });

  test('a recovery code replaces the TOTP code once', async () => {
    await prove({ password, totp: totp() });
    const { codes } = bodyOf(await scene.call('POST /extensions/recovery-codes', as())) as { codes: string[] };
    const [recovery_code = ''] = codes;
    server.clock.advance(withinMs);
    expect(await prove({ password: 'wrong horse', recovery_code })).toMatchObject({ status: 400 });
    expect(await prove({ password, recovery_code: '0000-0000-0000-0000' })).toEqual(wrongRecoveryCode);
    expect(await prove({ password, recovery_code })).toEqual(success);
    expect(await prove({ password, recovery_code })).toEqual(wrongRecoveryCode);
    expect(await scene.call('GET /extensions/recovery-codes', as())).toMatchObject({ body: { remaining: 9 } });
  });

  test('one emailed code that is sent with two recovery codes at the same time uses up one of them', async () => {
    await prove({ password, totp: totp() });
    const { codes } = bodyOf(await scene.call('POST /extensions/recovery-codes', as())) as { codes: string[] };
    const code = await emailedCode();
    const proofs = codes.slice(0, 2).map(recovery_code => () => prove({ code, recovery_code }));
    const outcomes = await allAtOnce(server, ada.id, proofs);
    expect(outcomes.toSorted((one, other) => one.status - other.status)).toEqual([success, used]);
    expect(await scene.call('GET /extensions/recovery-codes', as())).toMatchObject({ body: { remaining: 9 } });
  });

  test('a wrong TOTP code does not use up the emailed code', async () => {
    const code = await emailedCode();
    expect(await prove({ code, totp: '000000' })).toEqual(wrongTotp);
    expect(await prove({ code, totp: totp() })).toEqual(success);
  });

  test.each([
    ['a passkey that verified its user is enough', true, true, success],
    ['a passkey that did not verify its user is not enough', true, false, wrongTotp],
    ['a passkey is not enough where it does not count as both factors', false, true, wrongTotp],
  ])('%s', async (_, passkeyCountsAsBothFactors, userVerified, expected) => {
    if (passkeyCountsAsBothFactors) await scene.configure({ passkeyCountsAsBothFactors });
    const fresh = { ...ada, ...(await scene.session(ada.id)) };
    const proof = await passkeyProof(await passkeyOf(fresh), { userVerified });
    expect(await prove(proof)).toEqual(expected);
  });
});

test('GET /extensions/reauthentication lists the methods of the caller', async () => {
  const read = (who: Person) => scene.call('GET /extensions/reauthentication', as(who));
  const [byPassword, byCode] = ['password', 'code'].map(method => ({ method, needs_totp: false }));
  expect(await read(ada)).toEqual({ status: 200, body: { methods: [byPassword, byCode], is_required: false } });
  const bob = await scene.person();
  expect(await read(bob)).toEqual({ status: 200, body: { methods: [], is_required: false } });
});

test('GET /extensions/reauthentication says when sensitive changes are refused', async () => {
  server.clock.advance(withinMs);
  const fresh = await scene.session(ada.id);
  const read = (who: Pick<Person, 'accessToken'>) =>
    scene.call('GET /extensions/reauthentication', { accessToken: who.accessToken });
  expect(await read(fresh)).toMatchObject({ body: { is_required: false } });
  server.clock.advance(withinMs - 1);
  expect(await read(fresh)).toMatchObject({ body: { is_required: false } });
  server.clock.advance(1);
  expect(await read(fresh)).toMatchObject({ body: { is_required: true } });
});
