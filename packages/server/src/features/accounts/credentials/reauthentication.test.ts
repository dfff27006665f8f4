import type { Route } from '@tessera/protocol';
import { createAuthenticator } from '@tessera/testing/authenticator';
import type { CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { purge } from '../../../platform/database/purge.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { sessionPurgeRules } from '../../sessions/purge.ts';
import {
  documentedErrors,
  openScene,
  type Person,
  plainPasswords,
  refused,
  type Scene,
} from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let channelId: string;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_ACCESS_TOKEN_LIFETIME: '24h' } });
});
afterAll(() => server.close());

const withinMs = 600_000;
/** The longest that an operator can set. */
const accessTokenMaxLifetimeMs = 24 * 3_600_000;
const config = { passkeyEnabled: true, allowUserApiKeys: true, clientUserDeletionEnabled: true };
const password = 'the old password';

beforeEach(async () => {
  scene = await openScene(server, { ...config, freshSignInWithinMs: withinMs });
  ada = await scene.person({ primary_email: scene.address(), primary_email_auth_enabled: true, password });
  const listed = await scene.call('GET /contact-channels', { level: 'server', query: { user_id: ada.id } });
  channelId = (listed as unknown as { body: { items: [{ id: string }] } }).body.items[0].id;
});

const secret = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=';
const params = () => ({ user_id: 'me', contact_channel_id: channelId });

/** Every client operation that changes how a user signs in. */
const sensitive: Record<string, () => [Route, CallOptions]> = {
  'setting a password': () => ['POST /auth/password/set', { body: { password: 'the next password' } }],
  'changing the password': () => [
    'POST /auth/password/update',
    { body: { old_password: password, new_password: 'the next password' } },
  ],
  'setting a second factor': () => ['PATCH /users/me', { body: { totp_secret_base64: secret } }],
  'removing the second factor': () => ['PATCH /users/me', { body: { totp_secret_base64: null } }],
  'deleting the passkeys': () => ['PATCH /users/me', { body: { passkey_auth_enabled: false } }],
  'switching email codes off': () => ['PATCH /users/me', { body: { otp_auth_enabled: false } }],
  'adding an address': () => [
    'POST /contact-channels',
    { body: { user_id: 'me', value: scene.address(), type: 'email', used_for_auth: true } },
  ],
  'changing an address': () => [
    'PATCH /contact-channels/{user_id}/{contact_channel_id}',
    { params: params(), body: { is_primary: true } },
  ],
  'deleting an address': () => ['DELETE /contact-channels/{user_id}/{contact_channel_id}', { params: params() }],
  'beginning a passkey registration': () => ['POST /auth/passkey/initiate-passkey-registration', {}],
  'creating an API key': () => [
    'POST /user-api-keys',
    { body: { user_id: 'me', description: 'a key', is_public: false, expires_at_millis: null } },
  ],
  'creating recovery codes': () => ['POST /extensions/recovery-codes', {}],
  'removing a passkey': () => ['DELETE /extensions/passkeys/{passkey_id}', { params: { passkey_id: 'a-passkey' } }],
  'disconnecting a provider': () => [
    'DELETE /extensions/connected-accounts/{provider_id}',
    { params: { provider_id: 'github' } },
  ],
  'deleting the account': () => ['DELETE /users/me', {}],
};

const isRefused = { status: 403, code: 'REAUTHENTICATION_REQUIRED' };
const isImpersonated = refused(403);
const accessToken = () => ({ accessToken: ada.accessToken });
const expired = () => ({
  status: 401,
  code: 'ACCESS_TOKEN_EXPIRED',
  details: { expired_at_millis: server.clock.now() },
});

describe.each(Object.entries(sensitive))('control 68: %s', (_, make) => {
  const change = (more: CallOptions = accessToken()) => {
    const [route, options] = make();
    return scene.call(route, { ...options, ...more });
  };

  test('is refused in an old session and accepted in a new one', async () => {
    server.clock.advance(withinMs);
    expect(await change()).toEqual(isRefused);
    const { accessToken: fresh } = await scene.session(ada.id);
    expect(await change({ accessToken: fresh })).not.toEqual(isRefused);
  });

  test('is documented with the error', () => {
    const [route] = make();
    expect(documentedErrors(route)).toContain(isRefused.code);
  });

  test('is accepted in a session within the limit', async () => {
    server.clock.advance(withinMs - 1);
    expect(await change()).not.toEqual(isRefused);
  });

  test.each(['server', 'admin'] as const)('is not restricted for level %s', async level => {
    server.clock.advance(withinMs);
    expect(await change({ ...accessToken(), level })).not.toEqual(isRefused);
  });

  test('is refused with ACCESS_TOKEN_EXPIRED in a session that was ended', async () => {
    await scene.call('DELETE /auth/sessions/current', accessToken());
    expect(await change()).toEqual(expired());
  });

  test('is accepted in a session that has expired, with its access token that is still valid', async () => {
    const { accessToken: token } = await scene.session(ada.id, { expires_in_millis: 1 });
    server.clock.advance(1);
    expect(await change({ accessToken: token })).not.toMatchObject({ status: 401 });
  });

  test('is refused with ACCESS_TOKEN_EXPIRED in a session that was ended after it had expired', async () => {
    const expiring = await scene.session(ada.id, { expires_in_millis: 1 });
    server.clock.advance(1);
    const others = { level: 'server', query: { user_id: ada.id } } as const;
    await scene.call('DELETE /extensions/sessions/others', others);
    expect(await change({ accessToken: expiring.accessToken })).toEqual(expired());
  });

  test('control 34: is refused with ACCESS_TOKEN_EXPIRED in an impersonation that has expired', async () => {
    const { accessToken: token } = await scene.session(ada.id, { is_impersonation: true, expires_in_millis: 1 });
    server.clock.advance(1);
    expect(await change({ accessToken: token })).toEqual(expired());
  });

  test('control 34: is refused with 403 in an impersonation session', async () => {
    const { accessToken: token } = await scene.session(ada.id, { is_impersonation: true });
    expect(await change({ accessToken: token })).toEqual(isImpersonated);
  });

  test('is accepted in a session of any age when the project sets no limit', async () => {
    scene = await openScene(server, config);
    ada = await scene.person({ primary_email: scene.address(), primary_email_auth_enabled: true, password });
    server.clock.advance(withinMs);
    expect(await change()).not.toEqual(isRefused);
  });
});

test('control 34: an impersonation session cannot change the expiry time of an API key, but can revoke the key', async () => {
  const body = { user_id: 'me', description: 'a key', is_public: false, expires_at_millis: null };
  const made = await scene.call('POST /user-api-keys', { ...accessToken(), body });
  const { id } = (made as unknown as { body: { id: string } }).body;
  const { accessToken: token } = await scene.session(ada.id, { is_impersonation: true });
  const change = (changes: object) =>
    scene.call('PATCH /user-api-keys/{id}', { accessToken: token, params: { id }, body: changes });
  expect(await change({ expires_at_millis: server.clock.now() + 1 })).toEqual(isImpersonated);
  expect(await change({ revoked: true })).toMatchObject({ status: 200 });
});

test('control 68: a passkey registration that began in a fresh session cannot finish in an old one', async () => {
  server.clock.advance(withinMs - 1);
  const begun = await scene.call('POST /auth/passkey/initiate-passkey-registration', accessToken());
  const { code, options_json: options } = (
    begun as unknown as { body: { code: string; options_json: { challenge: string; user: { id: string } } } }
  ).body;
  const body = { code, credential: createAuthenticator().register(options) };
  server.clock.advance(1);
  expect(await scene.call('POST /auth/passkey/register', { ...accessToken(), body })).toEqual(isRefused);
  const { accessToken: fresh } = await scene.session(ada.id);
  expect(await scene.call('POST /auth/passkey/register', { accessToken: fresh, body })).toMatchObject({ status: 200 });
});

test('control 68: a refresh does not make a session fresh', async () => {
  server.clock.advance(withinMs);
  const refreshed = await scene.call('POST /auth/sessions/current/refresh', { refreshToken: ada.refreshToken });
  const { access_token: renewed } = (refreshed as unknown as { body: { access_token: string } }).body;
  const body = { totp_secret_base64: secret };
  expect(await scene.call('PATCH /users/me', { accessToken: renewed, body })).toEqual(isRefused);
});

test('the purge keeps the row of an expired session until its last access token has expired', async () => {
  const { accessToken: token } = await scene.session(ada.id, { expires_in_millis: 1 });
  const rename = () => scene.call('PATCH /users/me', { accessToken: token, body: { display_name: 'Ada' } });
  server.clock.advance(accessTokenMaxLifetimeMs - 1_000);
  await purge(sessionPurgeRules, server.deps)({});
  expect(await rename()).toMatchObject({ status: 200 });
  server.clock.advance(1_001);
  await purge(sessionPurgeRules, server.deps)({});
  expect(await scene.sessionsOf(ada.id)).toBe(1);
  expect(await rename()).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
});

test('the display name and the metadata can be changed in an old session', async () => {
  server.clock.advance(withinMs);
  const body = { display_name: 'Ada', client_metadata: 1 };
  expect(await scene.call('PATCH /users/me', { ...accessToken(), body })).toMatchObject({ status: 200 });
});
