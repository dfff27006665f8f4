import { passwordResetLifetimeMs } from '@tessera/protocol';
import { createAuthenticator } from '@tessera/testing/authenticator';
import type { CallOptions } from '@tessera/testing/call';
import { aSecret, stableHeaders } from '@tessera/testing/outcome';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import {
  callback,
  expired,
  invalid,
  isValid,
  noCode,
  notFound,
  openScene,
  type Person,
  plainPasswords,
  type Scene,
  success,
  tooMany,
  untrusted,
  used,
  whileDeleting,
} from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let email: string;
const passwords = plainPasswords();
beforeAll(async () => {
  server = await openTestServer({ passwords });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  email = scene.address();
});

interface Begun {
  readonly code: string;
  readonly options_json: { readonly challenge: string; readonly user: { readonly id: string } };
}

const old = 'the old password';
const next = 'the next password';
const secret = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=';
const maybe = { status: 200, body: { success: 'maybe, only if user with e-mail exists' } };
const off = { status: 400, code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED' };
const tooShort = { status: 400, code: 'PASSWORD_TOO_SHORT', details: { min_length: 8 } };

const send = (address: unknown = email, body: object = {}, options: CallOptions = {}) =>
  scene.call('POST /auth/password/send-reset-code', {
    ...options,
    body: { email: address, callback_url: callback, ...body },
  });
const reset = (code: string, password: unknown = next, options: CallOptions = {}) =>
  scene.call('POST /auth/password/reset', { ...options, body: { code, password } });
const check = (code: string, options: CallOptions = {}) =>
  scene.call('POST /auth/password/reset/check-code', { ...options, body: { code } });
const signIn = (password: string, address = email) =>
  scene.call('POST /auth/password/sign-in', { body: { email: address, password } });

function account(more: object = {}): Promise<Person> {
  const fields = { primary_email: email, primary_email_auth_enabled: true, primary_email_verified: true };
  return scene.person({ ...fields, password: old, ...more });
}

async function sentCode(): Promise<string> {
  await send();
  return scene.emailedCode();
}

describe('control 56: the address of an anonymous user is of another person, who resets the password', () => {
  const prove = async () => {
    await scene.configure({ anonymousUsersEnabled: true });
    const guest = await scene.anonymous();
    const body = { user_id: 'me', value: email, type: 'email', used_for_auth: true, is_primary: true };
    await scene.call('POST /contact-channels', { accessToken: guest.accessToken, body });
    const code = await sentCode();
    return { guest, code };
  };

  test('the account is an ordinary one, and belongs to that person alone', async () => {
    const { guest, code } = await prove();
    expect(await reset(code)).toEqual(success);
    expect(await signIn(next)).toMatchObject({ status: 200, body: { user_id: guest.id } });
    expect(await scene.userById(guest.id)).toMatchObject({ is_anonymous: false, primary_email_verified: true });
    expect(await scene.isLive(guest)).toBe(false);
  });

  test('the account gets no password where sign-ups are switched off', async () => {
    const { guest, code } = await prove();
    await scene.configure({ signUpEnabled: false });
    expect(await reset(code)).toMatchObject({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    expect(await scene.userById(guest.id)).toMatchObject({ is_anonymous: true, has_password: false });
  });
});

describe('POST /auth/password/send-reset-code', () => {
  test.each(['client', 'server', 'admin'] as const)('sends a link at level %s', async level => {
    await account({ display_name: 'Ada' });
    expect(await send(email, {}, { level })).toEqual(maybe);
    const [message, ...more] = await scene.takeEmails();
    expect(more).toEqual([]);
    const link = message?.variables.passwordResetLink ?? '';
    expect(new URL(link).searchParams.get('code')).toEqual(aSecret);
    expect(message).toEqual({
      template: 'password_reset',
      recipient: email,
      variables: {
        passwordResetLink: `http://localhost:3000/handler?code=${new URL(link).searchParams.get('code')}&from=mail`,
        userDisplayName: 'Ada',
      },
    });
  });

  test.each([
    ['without a password', { password: null }],
    ['whose address is not verified', { primary_email_verified: false }],
    ['without a display name', { display_name: null }],
  ])('sends a link to a user %s too', async (_, more) => {
    await account(more);
    expect(await send()).toEqual(maybe);
    expect(await scene.takeEmails()).toMatchObject([{ recipient: email }]);
  });

  test('control 73: finds the account in any spelling of the address', async () => {
    await account();
    expect(await send(email.toUpperCase())).toEqual(maybe);
    expect(await scene.takeEmails()).toMatchObject([{ recipient: email }]);
  });

  test('a reset email for an unknown address is answered with 200 and not sent', async () => {
    await scene.person({ primary_email: email });
    expect(await send()).toEqual(maybe);
    expect(await send('')).toEqual(maybe);
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('control 20: an account of another project gets no email', async () => {
    await account();
    const elsewhere = await openScene(server);
    expect(
      await elsewhere.call('POST /auth/password/send-reset-code', { body: { email, callback_url: callback } }),
    ).toEqual(maybe);
    expect([await scene.takeEmails(), await elsewhere.takeEmails()]).toEqual([[], []]);
  });

  test.each(['https://evil.example/', 'http://localhost.evil.example/', 'http://[::1]/'])(
    'control 2: the untrusted callback %s is refused for a known and an unknown address alike',
    async callback_url => {
      await account();
      expect(await send(email, { callback_url })).toEqual(untrusted);
      expect(await send(scene.address(), { callback_url })).toEqual(untrusted);
      expect(await scene.takeEmails()).toEqual([]);
    },
  );

  test('checks first whether passwords are on', async () => {
    await account();
    await scene.configure({ credentialEnabled: false });
    expect(await send(email, { callback_url: 'https://evil.example/' })).toEqual(off);
    expect(await send('unknown@example.com')).toEqual(off);
  });

  test.each([
    { email: 'nonsense' },
    { email: ' ada@example.com' },
    { email: undefined },
    { callback_url: '/relative' },
    { callback_url: 'http://localhost/a b' },
    { callback_url: undefined },
    { more: 1 },
  ])('a body of %j is refused', async body => {
    expect(await send(email, body)).toEqual(invalid);
  });

  describe('control 13: an unknown address', () => {
    async function answerTo(address: string) {
      const statements: string[] = [];
      const query = vi.spyOn(pg.Client.prototype, 'query');
      passwords.work.length = 0;
      const answer = await server.call('POST /auth/password/send-reset-code', {
        project: scene.project,
        body: { email: address, callback_url: callback },
      });
      for (const [statement] of query.mock.calls as unknown as [string | { text: string }][]) {
        statements.push(typeof statement === 'string' ? statement : statement.text.replaceAll(/\s+/g, ' ').trim());
      }
      query.mockRestore();
      const ends = /^(release|rollback to) savepoint/;
      const { status, headers, text } = answer;
      return {
        answer: { status, headers: stableHeaders(headers), text },
        statements: statements.map(statement => statement.replace(ends, 'the end of savepoint')),
        hashes: [...passwords.work],
      };
    }

    test('gets the same response, with the same statements and no hashes', async () => {
      await account();
      // The first use of a key writes an audit event.
      await answerTo('someone@example.com');
      const known = await answerTo(email);
      const unknown = await answerTo('unknown@example.com');
      expect(unknown.answer).toEqual(known.answer);
      expect(unknown.statements).toEqual(known.statements);
      expect([known.hashes, unknown.hashes]).toEqual([[], []]);
    });

    test('gets no email', async () => {
      await answerTo('unknown@example.com');
      expect(await scene.takeEmails()).toEqual([]);
    });
  });

  test('a user who is deleted during the request does not cause a 500', async () => {
    const ada = await account();
    expect(await whileDeleting(server, ada.id, () => send())).toEqual(maybe);
    expect(await scene.takeEmails()).toEqual([]);
  });
});

describe('POST /auth/password/reset', () => {
  test.each(['client', 'server', 'admin'] as const)('replaces the password at level %s', async level => {
    const ada = await account();
    expect(await reset(await sentCode(), next, { level })).toEqual(success);
    expect(await signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
    expect(await signIn(old)).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
  });

  test('sets a first password for a user without one', async () => {
    const ada = await account({ password: null });
    expect(await reset(await sentCode())).toEqual(success);
    expect(await signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
  });

  test('control 32: ends all sessions, and opens none', async () => {
    const ada = await account();
    const second = await scene.session(ada.id);
    expect(await reset(await sentCode())).toEqual(success);
    expect([await scene.isLive(ada), await scene.isLive(second)]).toEqual([false, false]);
    expect(await scene.sessionsOf(ada.id)).toBe(0);
  });

  test.each([true, false])(
    'a completed reset leaves the address verified (verified before: %s)',
    async primary_email_verified => {
      const ada = await account({ primary_email_verified });
      await reset(await sentCode());
      expect(await scene.userById(ada.id)).toMatchObject({ primary_email_verified: true, has_password: true });
    },
  );

  test('publishes user.updated', async () => {
    const ada = await account();
    const code = await sentCode();
    await addWebhookEndpoint(server.deps.db, scene.project.id);
    await reset(code);
    const events = await server.deps.db.query(
      sql`select type, data from webhook_events where project_id = ${scene.project.id}`,
    );
    expect(events).toEqual([{ type: 'user.updated', data: await scene.userById(ada.id) }]);
  });

  test('a code works once', async () => {
    await account();
    const code = await sentCode();
    expect(await reset(code)).toEqual(success);
    expect(await reset(code, 'yet another password')).toEqual(used);
    expect(await check(code)).toEqual(used);
    expect(await signIn(next)).toMatchObject({ status: 200 });
  });

  test('control 16: of 100 concurrent uses of one code one works', async () => {
    await account();
    const code = await sentCode();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => reset(code, `password ${index}`)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await signIn(`password ${winner}`)).toMatchObject({ status: 200 });
  });

  test('of several open codes each works once', async () => {
    await account();
    const [first, second] = [await sentCode(), await sentCode()];
    expect([await reset(second), await reset(first)]).toEqual([success, success]);
  });

  test('a code is spent by a password that is too short', async () => {
    await account();
    const code = await sentCode();
    expect(await reset(code, '1234567')).toEqual(tooShort);
    expect(await reset(code)).toEqual(used);
    expect(await signIn(old)).toMatchObject({ status: 200 });
  });

  test('a code is spent when passwords were switched off meanwhile', async () => {
    await account();
    const code = await sentCode();
    await scene.configure({ credentialEnabled: false });
    expect(await reset(code, '1234567')).toEqual(off);
    expect(await check(code)).toEqual(used);
  });

  test('a body that fails the schema does not spend the code', async () => {
    await account();
    const code = await sentCode();
    for (const password of [null, [], 'x'.repeat(71)]) expect(await reset(code, password)).toEqual(invalid);
    expect(await reset(code.slice(1))).toEqual(invalid);
    expect(await reset(`${code}0`)).toEqual(invalid);
    expect(await reset(code)).toEqual(success);
  });

  test('a code in capitals is accepted', async () => {
    await account();
    expect(await reset((await sentCode()).toUpperCase())).toEqual(success);
  });

  test('control 17: a code expires after an hour', async () => {
    await account();
    const [code, late] = [await sentCode(), await sentCode()];
    server.clock.advance(passwordResetLifetimeMs - 1);
    expect(await reset(code)).toEqual(success);
    server.clock.advance(1);
    expect([await reset(late), await check(late)]).toEqual([expired, expired]);
  });

  test('control 20: codes of another kind or project are refused', async () => {
    const ada = await account();
    const { id: userId } = ada;
    const others = [
      await scene.code('sign_in', { address: email, data: {} }),
      await scene.code('email_verification', { userId, address: email, data: {} }),
      await scene.code('mfa_attempt', { userId, data: { isNewUser: false } }),
      await (await openScene(server)).code('password_reset', { address: email, data: {} }),
      noCode,
    ];
    for (const code of others) expect([await reset(code), await check(code)]).toEqual([notFound, notFound]);
  });

  test('control 21: a code ends when its address leaves the account', async () => {
    const ada = await account();
    const code = await sentCode();
    const more = await sentCode();
    await scene.call('PATCH /users/{user_id}', {
      level: 'server',
      params: { user_id: ada.id },
      body: { primary_email: scene.address() },
    });
    expect([await check(more), await reset(code)]).toEqual([notFound, notFound]);
    expect(await scene.isLive(ada)).toBe(true);
  });

  test('control 10: sends a notice to the primary address and to the address of the code', async () => {
    const ada = await account();
    await scene.takeEmails();
    await reset(await sentCode());
    expect(await scene.takeEmails()).toEqual([{ template: 'password_changed', recipient: email, variables: {} }]);

    const other = scene.address();
    const body = { user_id: ada.id, value: other, type: 'email', used_for_auth: true, is_verified: true };
    await scene.call('POST /contact-channels', { level: 'server', body });
    await send(other);
    await reset(await scene.emailedCode(), 'yet another password');
    const told = (await scene.takeEmails()).map(({ template, recipient }) => [template, recipient]);
    expect(told.sort()).toEqual(
      [
        ['password_changed', email],
        ['password_changed', other],
      ].sort(),
    );
  });

  test('a first password sends the notice of a first password', async () => {
    await account({ password: null });
    await reset(await sentCode());
    expect(await scene.takeEmails()).toEqual([{ template: 'password_added', recipient: email, variables: {} }]);
  });

  test('control 12: a reset of a verified account keeps the second factor, and a sign-in requires it', async () => {
    const ada = await account({ totp_secret_base64: secret });
    expect(await reset(await sentCode())).toEqual(success);
    expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: true });
    expect(await signIn(next)).toMatchObject({ status: 400, code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' });
  });

  describe('control 56: a password reset', () => {
    const google = { oauthProviders: [{ id: 'google', type: 'shared' as const }] };
    /** Another address of the account. */
    const addChannel = (ada: Person, more: object) => {
      const value = scene.address();
      const body = { user_id: ada.id, value, type: 'email', used_for_auth: true, ...more };
      return scene.call('POST /contact-channels', { level: 'server', body }).then(() => value);
    };
    const channelsOf = async (ada: Person) => {
      const listed = await scene.call('GET /contact-channels', { level: 'server', query: { user_id: ada.id } });
      const { items } = (listed as unknown as { body: { items: Record<string, unknown>[] } }).body;
      return items.map(({ value, is_primary, is_verified }) => ({ value, is_primary, is_verified }));
    };
    const passkeyOf = async (ada: Person) => {
      const begun = await scene.call('POST /auth/passkey/initiate-passkey-registration', {
        accessToken: ada.accessToken,
      });
      const { code, options_json: options } = (begun as unknown as { body: Begun }).body;
      const body = { code, credential: createAuthenticator().register(options) };
      await scene.call('POST /auth/passkey/register', { accessToken: ada.accessToken, body });
    };
    const linked = { totp_secret_base64: secret, oauth_providers: [{ id: 'google', account_id: 'of a person' }] };

    test('removes provider links, passkeys and TOTP from an account without a verified address', async () => {
      await scene.configure({ ...google, passkeyEnabled: true });
      const ada = await account({ ...linked, primary_email_verified: false });
      await passkeyOf(ada);
      expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: true, passkey_auth_enabled: true });
      expect(await reset(await sentCode())).toEqual(success);
      expect(await scene.userById(ada.id)).toMatchObject({
        requires_totp_mfa: false,
        passkey_auth_enabled: false,
        oauth_providers: [],
        has_password: true,
        primary_email: email,
        primary_email_verified: true,
      });
      expect(await signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
      expect(await scene.isLive(ada)).toBe(false);
    });

    test('keeps provider links, passkeys and TOTP of an account with a verified address', async () => {
      await scene.configure({ ...google, passkeyEnabled: true });
      const ada = await account(linked);
      await passkeyOf(ada);
      expect(await reset(await sentCode())).toEqual(success);
      expect(await scene.userById(ada.id)).toMatchObject({
        requires_totp_mfa: true,
        passkey_auth_enabled: true,
        oauth_providers: [{ id: 'google', account_id: 'of a person', email: null }],
      });
    });

    test('deletes every other channel of an account without a verified sign-in address', async () => {
      const ada = await account({ primary_email_verified: false });
      const unverified = await addChannel(ada, {});
      const notForSignIn = await addChannel(ada, { used_for_auth: false, is_verified: true });
      const verification = await scene.code('email_verification', { userId: ada.id, address: unverified, data: {} });
      expect(await reset(await sentCode())).toEqual(success);

      expect(await channelsOf(ada)).toEqual([{ value: email, is_primary: true, is_verified: true }]);
      expect(await scene.call('POST /contact-channels/verify', { body: { code: verification } })).toEqual(notFound);
      for (const address of [unverified, notForSignIn]) {
        expect(await send(address)).toEqual(maybe);
        expect(await signIn(next, address)).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
      }
      expect((await scene.takeEmails()).filter(({ template }) => template === 'password_reset')).toEqual([]);
      expect(await signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
    });

    test('makes the proven address primary in place of one that an attacker added', async () => {
      const ada = await account({ primary_email_verified: false });
      const intruder = scene.address();
      const body = { user_id: ada.id, value: intruder, type: 'email', used_for_auth: false, is_primary: true };
      await scene.call('POST /contact-channels', { level: 'server', body });
      expect(await reset(await sentCode())).toEqual(success);
      expect(await channelsOf(ada)).toEqual([{ value: email, is_primary: true, is_verified: true }]);
      expect(await scene.userById(ada.id)).toMatchObject({ primary_email: email, primary_email_verified: true });
      const found = { level: 'server', query: { query: intruder } } as const;
      expect(await scene.call('GET /users', found)).toMatchObject({ body: { items: [] } });
    });

    test.each([false, true])(
      'a user API key of an attacker survives a reset only on an account with a verified address (verified: %s)',
      async primary_email_verified => {
        await scene.configure({ allowUserApiKeys: true });
        const ada = await account({ primary_email_verified });
        const body = { user_id: 'me', description: 'A key', expires_at_millis: null };
        const key = await scene.call('POST /user-api-keys', { accessToken: ada.accessToken, body });
        const api_key = (key as unknown as { body: { value: string } }).body.value;
        expect(await reset(await sentCode())).toEqual(success);
        const checked = await scene.call('POST /user-api-keys/check', { level: 'server', body: { api_key } });
        expect(checked).toMatchObject(
          primary_email_verified ? { status: 200 } : { status: 404, code: 'API_KEY_NOT_FOUND' },
        );
      },
    );

    test('refuses a second factor and a passkey registration that began before the reset', async () => {
      await scene.configure({ passkeyEnabled: true });
      const ada = await account({ primary_email_verified: false });
      const attempt = await scene.code('mfa_attempt', { userId: ada.id, data: { isNewUser: false } });
      const begun = await scene.call('POST /auth/passkey/initiate-passkey-registration', {
        accessToken: ada.accessToken,
      });
      const { code, options_json: options } = (begun as unknown as { body: Begun }).body;
      expect(await reset(await sentCode())).toEqual(success);
      const totp = { type: 'totp', totp: '000000', code: attempt };
      expect(await scene.call('POST /auth/mfa/sign-in', { body: totp })).toEqual(notFound);
      const registration = { code, credential: createAuthenticator().register(options) };
      const registered = await scene.call('POST /auth/passkey/register', {
        accessToken: ada.accessToken,
        body: registration,
      });
      expect(registered.status).toBeGreaterThanOrEqual(400);
      expect(await scene.userById(ada.id)).toMatchObject({ passkey_auth_enabled: false });
    });

    describe('once another sign-in address has been verified', () => {
      test('an unverified address resets nothing, with the response of an unknown one', async () => {
        const ada = await account({ primary_email_verified: false, totp_secret_base64: secret });
        const verified = await addChannel(ada, { is_verified: true });
        await scene.takeEmails();
        expect(await send()).toEqual(maybe);
        expect(await scene.takeEmails()).toEqual([]);
        expect(await scene.isLive(ada)).toBe(true);

        await send(verified);
        expect(await reset(await scene.emailedCode())).toEqual(success);
        expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: true, primary_email_verified: false });
      });

      test('a code that was sent before it was verified is refused', async () => {
        const ada = await account({ primary_email_verified: false });
        const code = await sentCode();
        await addChannel(ada, { is_verified: true });
        expect([await check(code), await reset(code)]).toEqual([notFound, notFound]);
        expect(await signIn(old)).toMatchObject({ status: 200 });
      });
    });

    test('with two verified addresses either one resets the password', async () => {
      const ada = await account();
      const other = await addChannel(ada, { is_verified: true });
      await send(other);
      expect(await reset(await scene.emailedCode())).toEqual(success);
      expect(await reset(await sentCode(), 'yet another password')).toEqual(success);
    });
  });

  test('a user who is deleted during the reset does not cause a 500', async () => {
    const ada = await account();
    const code = await sentCode();
    expect(await whileDeleting(server, ada.id, () => reset(code))).toMatchObject({
      status: expect.toSatisfy(isRefusal),
    });
    expect(await reset(code)).toEqual(notFound);
  });
});

const isRefusal = (status: number) => status >= 400 && status < 500;

describe('POST /auth/password/reset/check-code', () => {
  test.each(['client', 'server', 'admin'] as const)('checks a code at level %s', async level => {
    await account();
    expect(await check(await sentCode(), { level })).toEqual(isValid);
  });

  test('control 18: a check does not spend the code, and counts as an attempt', async () => {
    await account();
    const [code, other] = [await sentCode(), await sentCode()];
    for (let count = 0; count < 19; count++) expect(await check(code)).toEqual(isValid);
    expect(await reset(code)).toEqual(success);
    for (let count = 0; count < 20; count++) expect(await check(other)).toEqual(isValid);
    expect([await check(other), await reset(other)]).toEqual([tooMany, tooMany]);
  });

  test.each([{ code: noCode.slice(1) }, { code: `${noCode}0` }, { code: null }, {}, { code: noCode, more: 1 }])(
    'a body of %j is refused',
    async body => {
      expect(await scene.call('POST /auth/password/reset/check-code', { body })).toEqual(invalid);
    },
  );
});
