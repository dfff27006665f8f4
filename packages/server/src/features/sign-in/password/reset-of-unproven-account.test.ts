import { createAuthenticator } from '@tessera/testing/authenticator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { notFound, type Person, plainPasswords, success } from '../scene.fixtures.ts';
import { maybe, next, old, openResetScene, type ResetScene, secret } from './reset-scene.fixtures.ts';

let server: TestServer;
let scene: ResetScene;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openResetScene(server);
});

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';

interface Begun {
  readonly code: string;
  readonly options_json: { readonly challenge: string; readonly user: { readonly id: string } };
}

describe('control 56: the address of an anonymous user is of another person, who resets the password', () => {
  const prove = async () => {
    await scene.configure({ anonymousUsersEnabled: true });
    const guest = await scene.anonymous();
    const body = { user_id: 'me', value: scene.email, type: 'email', used_for_auth: true, is_primary: true };
    await scene.call('POST /contact-channels', { accessToken: guest.accessToken, body });
    const code = await scene.sentCode();
    return { guest, code };
  };

  test('the account is an ordinary one, and belongs to that person alone', async () => {
    const { guest, code } = await prove();
    expect(await scene.reset(code)).toEqual(success);
    expect(await scene.signIn(next)).toMatchObject({ status: 200, body: { user_id: guest.id } });
    expect(await scene.userById(guest.id)).toMatchObject({ is_anonymous: false, primary_email_verified: true });
    expect(await scene.isLive(guest)).toBe(false);
  });

  test('the account gets no password where sign-ups are switched off', async () => {
    const { guest, code } = await prove();
    await scene.configure({ signUpEnabled: false });
    expect(await scene.reset(code)).toMatchObject({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    expect(await scene.userById(guest.id)).toMatchObject({ is_anonymous: true, has_password: false });
  });
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
    const ada = await scene.account({ ...linked, primary_email_verified: false });
    await passkeyOf(ada);
    expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: true, passkey_auth_enabled: true });
    expect(await scene.reset(await scene.sentCode())).toEqual(success);
    expect(await scene.userById(ada.id)).toMatchObject({
      requires_totp_mfa: false,
      passkey_auth_enabled: false,
      oauth_providers: [],
      has_password: true,
      primary_email: scene.email,
      primary_email_verified: true,
    });
    expect(await scene.signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
    expect(await scene.isLive(ada)).toBe(false);
  });

  test('forgets the devices of earlier holders of an account without a verified address', async () => {
    await scene.configure({ signInNoticesEnabled: true });
    await scene.account({ primary_email_verified: false });
    const signInFrom = async (agent: string, password: string) => {
      const headers = { 'user-agent': agent };
      await scene.call('POST /auth/password/sign-in', { headers, body: { email: scene.email, password } });
      return (await scene.takeEmails()).map(({ template }) => template);
    };
    await signInFrom(firefox, old);
    await scene.reset(await scene.sentCode());
    await scene.takeEmails();
    expect(await signInFrom(safari, next)).toEqual([]);
    expect(await signInFrom(firefox, next)).toEqual(['new_device_sign_in']);
  });

  test('keeps provider links, passkeys and TOTP of an account with a verified address', async () => {
    await scene.configure({ ...google, passkeyEnabled: true });
    const ada = await scene.account(linked);
    await passkeyOf(ada);
    expect(await scene.reset(await scene.sentCode())).toEqual(success);
    expect(await scene.userById(ada.id)).toMatchObject({
      requires_totp_mfa: true,
      passkey_auth_enabled: true,
      oauth_providers: [{ id: 'google', account_id: 'of a person', email: null }],
    });
  });

  test('deletes every other channel of an account without a verified sign-in address', async () => {
    const ada = await scene.account({ primary_email_verified: false });
    const unverified = await addChannel(ada, {});
    const notForSignIn = await addChannel(ada, { used_for_auth: false, is_verified: true });
    const verification = await scene.code('email_verification', { userId: ada.id, address: unverified, data: {} });
    expect(await scene.reset(await scene.sentCode())).toEqual(success);

    expect(await channelsOf(ada)).toEqual([{ value: scene.email, is_primary: true, is_verified: true }]);
    expect(await scene.call('POST /contact-channels/verify', { body: { code: verification } })).toEqual(notFound);
    for (const address of [unverified, notForSignIn]) {
      expect(await scene.send(address)).toEqual(maybe);
      expect(await scene.signIn(next, address)).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
    }
    expect((await scene.takeEmails()).filter(({ template }) => template === 'password_reset')).toEqual([]);
    expect(await scene.signIn(next)).toMatchObject({ status: 200, body: { user_id: ada.id } });
  });

  test('makes the proven address primary in place of one that an attacker added', async () => {
    const ada = await scene.account({ primary_email_verified: false });
    const intruder = scene.address();
    const body = { user_id: ada.id, value: intruder, type: 'email', used_for_auth: false, is_primary: true };
    await scene.call('POST /contact-channels', { level: 'server', body });
    expect(await scene.reset(await scene.sentCode())).toEqual(success);
    expect(await channelsOf(ada)).toEqual([{ value: scene.email, is_primary: true, is_verified: true }]);
    expect(await scene.userById(ada.id)).toMatchObject({ primary_email: scene.email, primary_email_verified: true });
    const found = { level: 'server', query: { query: intruder } } as const;
    expect(await scene.call('GET /users', found)).toMatchObject({ body: { items: [] } });
  });

  test.each([false, true])(
    'a user API key of an attacker survives a reset only on an account with a verified address (verified: %s)',
    async primary_email_verified => {
      await scene.configure({ allowUserApiKeys: true });
      const ada = await scene.account({ primary_email_verified });
      const body = { user_id: 'me', description: 'A key', expires_at_millis: null };
      const key = await scene.call('POST /user-api-keys', { accessToken: ada.accessToken, body });
      const api_key = (key as unknown as { body: { value: string } }).body.value;
      expect(await scene.reset(await scene.sentCode())).toEqual(success);
      const checked = await scene.call('POST /user-api-keys/check', { level: 'server', body: { api_key } });
      expect(checked).toMatchObject(
        primary_email_verified ? { status: 200 } : { status: 404, code: 'API_KEY_NOT_FOUND' },
      );
    },
  );

  test('refuses a second factor and a passkey registration that began before the reset', async () => {
    await scene.configure({ passkeyEnabled: true });
    const ada = await scene.account({ primary_email_verified: false });
    const attempt = await scene.code('mfa_attempt', { userId: ada.id, data: { isNewUser: false } });
    const begun = await scene.call('POST /auth/passkey/initiate-passkey-registration', {
      accessToken: ada.accessToken,
    });
    const { code, options_json: options } = (begun as unknown as { body: Begun }).body;
    expect(await scene.reset(await scene.sentCode())).toEqual(success);
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
      const ada = await scene.account({ primary_email_verified: false, totp_secret_base64: secret });
      const verified = await addChannel(ada, { is_verified: true });
      await scene.takeEmails();
      expect(await scene.send()).toEqual(maybe);
      expect(await scene.takeEmails()).toEqual([]);
      expect(await scene.isLive(ada)).toBe(true);

      await scene.send(verified);
      expect(await scene.reset(await scene.emailedCode())).toEqual(success);
      expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: true, primary_email_verified: false });
    });

    test('a code that was sent before it was verified is refused', async () => {
      const ada = await scene.account({ primary_email_verified: false });
      const code = await scene.sentCode();
      await addChannel(ada, { is_verified: true });
      expect([await scene.check(code), await scene.reset(code)]).toEqual([notFound, notFound]);
      expect(await scene.signIn(old)).toMatchObject({ status: 200 });
    });
  });

  test('with two verified addresses either one resets the password', async () => {
    const ada = await scene.account();
    const other = await addChannel(ada, { is_verified: true });
    await scene.send(other);
    expect(await scene.reset(await scene.emailedCode())).toEqual(success);
    expect(await scene.reset(await scene.sentCode(), 'yet another password')).toEqual(success);
  });
});
