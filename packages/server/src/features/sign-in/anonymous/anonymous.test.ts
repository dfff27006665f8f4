import type { Route } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { internalKeys } from '@tessera/testing/call';
import { anId, aSecret, aToken } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allAtOnce, whileDeleting } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  callback,
  documentedErrors,
  invalid,
  openScene,
  type Person,
  plainPasswords,
  type Scene,
  sceneOf,
  success,
  used,
} from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let email: string;
beforeAll(async () => {
  // Concurrent calls hold a connection each while they wait for a row.
  server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_DATABASE_POOL: '8' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { anonymousUsersEnabled: true });
  email = scene.address();
});

const off = { status: 400, code: 'ANONYMOUS_ACCOUNTS_NOT_ENABLED' };
const signedUp = { status: 200, body: { access_token: aToken, refresh_token: aSecret, user_id: anId } };
const as = ({ accessToken }: Person) => ({ accessToken });
const signUp = (options: CallOptions = {}) => scene.call('POST /auth/anonymous/sign-up', options);

describe('POST /auth/anonymous/sign-up', () => {
  test.each(['client', 'server', 'admin'] as const)(
    'creates a user named "Anonymous user" at level %s',
    async level => {
      expect(await signUp({ level })).toEqual(signedUp);
    },
  );

  test('the user is anonymous and has no credential', async () => {
    const { id } = await scene.anonymous();
    expect(await scene.userById(id)).toEqual({
      id,
      display_name: 'Anonymous user',
      is_anonymous: true,
      primary_email: null,
      primary_email_verified: false,
      primary_email_auth_enabled: false,
      has_password: false,
      otp_auth_enabled: false,
      passkey_auth_enabled: false,
      auth_with_email: false,
      requires_totp_mfa: false,
      oauth_providers: [],
      profile_image_url: null,
      client_metadata: null,
      client_read_only_metadata: null,
      server_metadata: null,
      selected_team: null,
      selected_team_id: null,
      signed_up_at_millis: server.clock.now(),
      last_active_at_millis: server.clock.now(),
    });
  });

  test.each([undefined, {}, null, [], { email: 'any@example.com' }, 'text'])('ignores the body: %j', async body => {
    expect(await signUp({ body })).toEqual(signedUp);
  });

  test('every call creates another user, also for a signed-in caller', async () => {
    const first = await scene.anonymous();
    const answers = [await signUp(as(first)), await signUp(as(first))];
    expect(answers).toEqual([signedUp, signedUp]);
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(2);
    expect(await scene.isLive(first)).toBe(true);
  });

  test('works while sign-up is switched off', async () => {
    await scene.configure({ signUpEnabled: false });
    expect(await signUp()).toEqual(signedUp);
  });

  test('is off in a new project, and on in internal', async () => {
    const fresh = await openScene(server);
    expect(await fresh.call('POST /auth/anonymous/sign-up')).toEqual(off);
    const internal = sceneOf(server, { id: 'internal', ...internalKeys });
    expect(await internal.call('POST /auth/anonymous/sign-up')).toEqual(signedUp);
  });

  test('is refused in internal while sign-up is switched off there, because its users may own projects', async () => {
    const internal = sceneOf(server, { id: 'internal', ...internalKeys });
    await internal.configure({ signUpEnabled: false });
    const answer = await internal.call('POST /auth/anonymous/sign-up');
    await internal.configure({ signUpEnabled: true });
    expect(answer).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    expect(documentedErrors('POST /auth/anonymous/sign-up')).toContain('SIGN_UP_NOT_ENABLED');
  });

  test('an anonymous user of internal does not become its owner', async () => {
    const internal = sceneOf(server, { id: 'internal', ...internalKeys });
    const { id } = await internal.anonymous();
    expect(await internal.userById(id)).toMatchObject({ server_metadata: null });
  });
});

describe('the setting anonymous-users', () => {
  const read = (options: CallOptions = {}) =>
    scene.call('GET /internal/extensions/anonymous-users', { level: 'admin', ...options });
  const write = (body: unknown, options: CallOptions = {}) =>
    scene.call('PATCH /internal/extensions/anonymous-users', { level: 'admin', body, ...options });
  const setTo = (enabled: boolean) => ({ status: 200, body: { enabled } });

  test('admins read and write it', async () => {
    expect(await read()).toEqual(setTo(true));
    const heard = new Promise<void>(resolve => server.deps.databaseNotifications.on('project', () => resolve()));
    expect(await write({ enabled: false })).toEqual(setTo(false));
    await heard;
    expect([await read(), await signUp()]).toEqual([setTo(false), off]);
  });

  test('clients and servers are refused with INSUFFICIENT_ACCESS_TYPE', async () => {
    for (const level of ['client', 'server'] as const) {
      const details = { actual_access_type: level, allowed_access_types: ['admin'] };
      const refusal = { status: 401, code: 'INSUFFICIENT_ACCESS_TYPE', details };
      expect([await read({ level }), await write({ enabled: true }, { level })]).toEqual([refusal, refusal]);
    }
  });

  test.each([{}, { enabled: null }, { enabled: 'yes' }, { enabled: true, more: 1 }])('refuses %j', async body => {
    expect(await write(body)).toEqual(invalid);
  });
});

describe('the upgrade of an anonymous user', () => {
  const withOtp = async (options: CallOptions, address = email) => {
    const code = await scene.code('sign_in', { address, data: {} });
    return scene.call('POST /auth/otp/sign-in', { ...options, body: { code } });
  };
  const withPassword = (options: CallOptions, address = email) =>
    scene.call('POST /auth/password/sign-up', {
      ...options,
      body: { email: address, password: 'correct horse', verification_callback_url: callback },
    });
  const methods = { withOtp, withPassword };
  const byMethod = {
    withOtp: { otp_auth_enabled: true, has_password: false, primary_email_verified: true },
    withPassword: { otp_auth_enabled: false, has_password: true, primary_email_verified: false },
  };
  const names = ['withOtp', 'withPassword'] as const;
  const answerOf = (name: (typeof names)[number], user_id: unknown, is_new_user = true) => ({
    status: 200,
    body: { access_token: aToken, refresh_token: aSecret, user_id, ...(name === 'withOtp' && { is_new_user }) },
  });
  const taken = { status: 409, code: 'USER_EMAIL_ALREADY_EXISTS', details: { email: '' } };

  describe.each(names)('%s', name => {
    const become = (options: CallOptions, address?: string) => methods[name](options, address);

    test.each(['client', 'server', 'admin'] as const)('keeps id and data at level %s', async level => {
      const ada = await scene.anonymous();
      await scene.call('PATCH /users/me', { ...as(ada), body: { client_metadata: { cart: [1, 2] } } });
      const before = await scene.userById(ada.id);
      expect(await become({ ...as(ada), level })).toEqual(answerOf(name, ada.id));
      expect(await scene.userById(ada.id)).toEqual({
        ...(before as object),
        ...byMethod[name],
        is_anonymous: false,
        auth_with_email: true,
        primary_email: email,
        primary_email_auth_enabled: true,
      });
    });

    test('control 36: an upgrade ends the earlier sessions and opens a new one', async () => {
      const ada = await scene.anonymous();
      const second = await scene.session(ada.id);
      await become(as(ada));
      expect([await scene.isLive(ada), await scene.isLive(second)]).toEqual([false, false]);
      expect(await scene.sessionsOf(ada.id)).toBe(1);
    });

    test('the upgraded user signs in with the new address', async () => {
      const ada = await scene.anonymous();
      await become(as(ada));
      const found = await scene.call('GET /users', { level: 'server', query: { query: email } });
      expect(found).toMatchObject({ body: { items: [{ id: ada.id }] } });
    });

    test('a sign-up without the anonymous token creates a separate user', async () => {
      const ada = await scene.anonymous();
      expect(await become({})).toEqual(answerOf(name, expect.not.stringMatching(ada.id)));
      expect(await scene.userById(ada.id)).toMatchObject({ is_anonymous: true });
      expect(await scene.isLive(ada)).toBe(true);
    });

    test('a sign-up with the token of a real user creates a separate user', async () => {
      const ada = await scene.person();
      expect(await become(as(ada))).toEqual(answerOf(name, expect.not.stringMatching(ada.id)));
      expect(await scene.userById(ada.id)).toMatchObject({ primary_email: null });
    });

    test('of three concurrent upgrades with different addresses one upgrades, and the others create separate users', async () => {
      const ada = await scene.anonymous();
      const addresses = [scene.address(), scene.address(), scene.address()];
      // A call that begins after an upgrade is refused, because the upgrade ends the session.
      const calls = addresses.map(address => () => become(as(ada), address));
      const answers = await allAtOnce(server, ada.id, calls);
      const ids = answers.map(answer => (answer as unknown as { body: { user_id: string } }).body?.user_id);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(ids.filter(id => id === ada.id)).toHaveLength(1);
      expect(new Set(ids).size).toBe(3);
    });

    test('of three concurrent upgrades with one address one upgrades, and one account is created', async () => {
      const ada = await scene.anonymous();
      const answers = await Promise.all([1, 2, 3].map(() => become(as(ada))));
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(answers).toContainEqual(answerOf(name, ada.id));
      const users = await scene.call('GET /users', { level: 'server', query: { query: email } });
      expect(users).toMatchObject({ body: { items: [{ id: ada.id }] } });
    });

    test('an upgrade with an address that the anonymous user has as a channel makes it the sign-in address', async () => {
      const ada = await scene.anonymous();
      const body = { user_id: 'me', value: email, type: 'email', used_for_auth: false };
      await scene.call('POST /contact-channels', { ...as(ada), body });
      expect(await become(as(ada))).toEqual(answerOf(name, ada.id));
      expect(await scene.userById(ada.id)).toMatchObject({
        ...byMethod[name],
        primary_email: email,
        primary_email_auth_enabled: true,
      });
    });

    test.each([true, false])(
      'an upgrade with an unverified sign-in address of the anonymous user succeeds; primary: %s',
      async is_primary => {
        const ada = await scene.anonymous();
        const body = { user_id: 'me', value: email, type: 'email', used_for_auth: true, is_primary };
        await scene.call('POST /contact-channels', { ...as(ada), body });
        const bob = await scene.anonymous();
        for (const others of [{}, as(bob)]) expect(await become(others)).toEqual({ ...taken, details: { email } });
        expect(await become(as(ada))).toEqual(answerOf(name, ada.id));
        expect(await scene.userById(ada.id)).toMatchObject({
          ...byMethod[name],
          is_anonymous: false,
          primary_email: email,
          primary_email_auth_enabled: true,
        });
      },
    );

    test('an upgrade replaces another primary address of the anonymous user', async () => {
      const ada = await scene.anonymous();
      const noted = scene.address();
      const body = { user_id: 'me', value: noted, type: 'email', used_for_auth: true, is_primary: true };
      await scene.call('POST /contact-channels', { ...as(ada), body });
      expect(await become(as(ada))).toEqual(answerOf(name, ada.id));
      expect(await scene.userById(ada.id)).toMatchObject({ primary_email: email, is_anonymous: false });
    });

    test('an upgrade of a user who is deleted during the request creates a separate user', async () => {
      const ada = await scene.anonymous();
      const answer = await whileDeleting(server, ada.id, () => become(as(ada)));
      expect(answer).toEqual(answerOf(name, anId));
    });
  });

  test('a sign-in code is sent to the unverified sign-in address of the anonymous user only with the own token', async () => {
    const ada = await scene.anonymous();
    const channel = { user_id: 'me', value: email, type: 'email', used_for_auth: true };
    await scene.call('POST /contact-channels', { ...as(ada), body: channel });
    const sendCode = (options: CallOptions) =>
      scene.call('POST /auth/otp/send-sign-in-code', { ...options, body: { email, callback_url: callback } });
    expect(await sendCode({})).toEqual({ ...taken, details: { email } });
    expect(await sendCode(as(ada))).toMatchObject({ status: 200 });
    expect(await scene.userById(ada.id)).toMatchObject({ is_anonymous: true, otp_auth_enabled: false });
    const body = { code: await scene.emailedCode() };
    expect(await scene.call('POST /auth/otp/sign-in', { ...as(ada), body })).toEqual(answerOf('withOtp', ada.id));
  });

  test('a sign-in to an existing account does not change the anonymous user', async () => {
    const verified = { primary_email: email, primary_email_auth_enabled: true, primary_email_verified: true };
    const real = await scene.person({ ...verified, password: 'correct horse' });
    const ada = await scene.anonymous();
    expect(await withOtp(as(ada))).toEqual(answerOf('withOtp', real.id, false));
    const body = { email, password: 'correct horse' };
    expect(await scene.call('POST /auth/password/sign-in', { ...as(ada), body })).toMatchObject({
      body: { user_id: real.id },
    });
    expect(await withPassword(as(ada))).toEqual({ ...taken, details: { email } });
    expect(await scene.userById(ada.id)).toMatchObject({ is_anonymous: true, primary_email: null });
    expect(await scene.isLive(ada)).toBe(true);
  });

  test('while sign-up is off an upgrade is refused, and the code is spent', async () => {
    await scene.configure({ signUpEnabled: false });
    const ada = await scene.anonymous();
    const code = await scene.code('sign_in', { address: email, data: {} });
    const signIn = () => scene.call('POST /auth/otp/sign-in', { ...as(ada), body: { code } });
    expect([await signIn(), await signIn()]).toEqual([{ status: 400, code: 'SIGN_UP_NOT_ENABLED' }, used]);
    expect(await withPassword(as(ada))).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    expect(await scene.userById(ada.id)).toMatchObject({ is_anonymous: true });
  });

  test('control 36: an upgrade by code removes the second factor of the anonymous user', async () => {
    const ada = await scene.anonymous();
    const body = { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' };
    await scene.call('PATCH /users/me', { ...as(ada), body });
    expect(await withOtp(as(ada))).toEqual(answerOf('withOtp', ada.id));
    expect(await scene.userById(ada.id)).toMatchObject({ requires_totp_mfa: false });
  });
});

test('an anonymous user may add an address and a password, and stays anonymous', async () => {
  const ada = await scene.anonymous();
  const body = { user_id: 'me', value: email, type: 'email', used_for_auth: true, is_primary: true };
  expect(await scene.call('POST /contact-channels', { ...as(ada), body })).toMatchObject({ status: 201 });
  expect(await scene.call('POST /auth/password/set', { ...as(ada), body: { password: 'correct horse' } })).toEqual(
    success,
  );
  expect(await scene.userById(ada.id)).toMatchObject({ is_anonymous: true, has_password: true, primary_email: email });
});

describe('while sign-up is off, an anonymous user gets no credential', () => {
  const isOff = { status: 400, code: 'SIGN_UP_NOT_ENABLED' };
  const credentials: [Route, object][] = [
    ['POST /auth/password/set', { password: 'quiet lantern orbit' }],
    ['POST /contact-channels', { user_id: 'me', value: 'eve@example.com', type: 'email', used_for_auth: true }],
    ['POST /auth/passkey/initiate-passkey-registration', {}],
    ['POST /user-api-keys', { user_id: 'me', description: 'a key', is_public: false, expires_at_millis: null }],
    ['PATCH /users/me', { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' }],
    [
      'POST /auth/password/sign-up',
      { email: 'eve@example.com', password: 'quiet lantern orbit', verification_callback_url: callback },
    ],
    ['POST /auth/otp/send-sign-in-code', { email: 'eve@example.com', callback_url: callback }],
  ];

  test.each(credentials)('%s is refused with SIGN_UP_NOT_ENABLED', async (route, body) => {
    await scene.configure({ passkeyEnabled: true, credentialEnabled: true, allowUserApiKeys: true });
    const anonymous = await scene.anonymous();
    await scene.configure({ signUpEnabled: false });
    expect(await scene.call(route, { ...as(anonymous), body })).toEqual(isOff);
    expect(documentedErrors(route)).toContain(isOff.code);
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: true, has_password: false });
  });

  test('the anonymous user can still delete the account', async () => {
    await scene.configure({ clientUserDeletionEnabled: true });
    const anonymous = await scene.anonymous();
    await scene.configure({ signUpEnabled: false });
    expect(await scene.call('DELETE /users/me', as(anonymous))).toEqual(success);
  });
});
