import type { Route } from '@tessera/protocol';
import { createAuthenticator } from '@tessera/testing/authenticator';
import type { CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { oneAfterTheOther, whileHolding } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { deleteSessions } from '../../sessions/index.ts';
import { callback, openScene, type Person, plainPasswords, type Scene, success } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_DATABASE_POOL: '8' } });
});
afterAll(() => server.close());

interface Attacked {
  readonly scene: Scene;
  /** Signed up with the address of the owner. */
  readonly intruder: Person;
  readonly channelId: string;
}

const config = { passkeyEnabled: true, allowUserApiKeys: true, anonymousUsersEnabled: true };
const password = 'the password of the intruder';
const next = 'the password of the owner';
const sessionEnded = () => ({
  status: 401,
  code: 'ACCESS_TOKEN_EXPIRED',
  details: { expired_at_millis: server.clock.now() },
});
const listOfIds = z.object({ body: z.object({ items: z.array(z.object({ id: z.string() })) }) });
const creation = z.object({
  body: z.object({
    code: z.string(),
    options_json: z.object({ challenge: z.string(), user: z.object({ id: z.string() }) }),
  }),
});

async function passkeyOf({ scene, intruder }: Attacked): Promise<CallOptions> {
  const begun = await scene.call('POST /auth/passkey/initiate-passkey-registration', {
    accessToken: intruder.accessToken,
  });
  const { code, options_json: options } = creation.parse(begun).body;
  return { body: { code, credential: createAuthenticator().register(options) } };
}

const newChannel = { user_id: 'me', value: 'intruder@example.com', type: 'email', used_for_auth: true };
const newKey = { user_id: 'me', description: 'a key', is_public: false, expires_at_millis: null };

const writes: [string, Route, (attacked: Attacked) => CallOptions | Promise<CallOptions>][] = [
  ['a TOTP secret', 'PATCH /users/me', () => ({ body: { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' } })],
  ['a passkey', 'POST /auth/passkey/register', passkeyOf],
  ['an API key', 'POST /user-api-keys', () => ({ body: newKey })],
  ['a contact channel', 'POST /contact-channels', () => ({ body: newChannel })],
  [
    'a change of a contact channel',
    'PATCH /contact-channels/{user_id}/{contact_channel_id}',
    ({ channelId }) => ({
      params: { user_id: 'me', contact_channel_id: channelId },
      body: { used_for_auth: false },
    }),
  ],
  [
    'a removal of a contact channel',
    'DELETE /contact-channels/{user_id}/{contact_channel_id}',
    ({ channelId }) => ({ params: { user_id: 'me', contact_channel_id: channelId } }),
  ],
];

describe('control 32: a write that begins before a password reset and waits for it is refused', () => {
  test.each(writes)('%s', async (_, route, optionsOf) => {
    const scene = await openScene(server, config);
    const email = scene.address();
    const intruder = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password });
    const { id: userId, accessToken } = intruder;
    const asServer = { level: 'server', query: { user_id: userId } } as const;
    const channels = async () => listOfIds.parse(await scene.call('GET /contact-channels', asServer)).body.items;
    const channelId = (await channels())[0]?.id ?? '';
    const options = await optionsOf({ scene, intruder, channelId });
    const code = await scene.code('password_reset', { address: email, userId, data: {} });

    const answers = await oneAfterTheOther(server, userId, {
      first: () => scene.call('POST /auth/password/reset', { body: { code, password: next } }),
      second: () => scene.call(route, { accessToken, ...options }),
    });

    expect(answers).toEqual([success, sessionEnded()]);
    const signedIn = await scene.call('POST /auth/password/sign-in', { body: { email, password: next } });
    expect(signedIn).toMatchObject({ status: 200, body: { user_id: userId } });
    expect(await scene.userById(userId)).toMatchObject({ requires_totp_mfa: false, passkey_auth_enabled: false });
    expect(await channels()).toEqual([expect.objectContaining({ id: channelId })]);
    expect(listOfIds.parse(await scene.call('GET /user-api-keys', asServer)).body.items).toEqual([]);
  });
});

test('control 32: a sign-up that upgrades an anonymous user is refused when the session ends meanwhile', async () => {
  const scene = await openScene(server, config);
  const { id, accessToken } = await scene.anonymous();
  const body = { email: scene.address(), password, verification_callback_url: callback };
  const answer = await whileHolding(server, id, {
    work: () => scene.call('POST /auth/password/sign-up', { accessToken, body }),
    meanwhile: tx => deleteSessions(tx, scene.project.id, id, null),
  });
  expect(answer).toEqual(sessionEnded());
  expect(await scene.userById(id)).toMatchObject({ is_anonymous: true, primary_email: null });
});

test('control 32: a command-line login gets no session from a session that a password reset ends meanwhile', async () => {
  const scene = await openScene(server, { ...config, rotatesRefreshTokens: true });
  const email = scene.address();
  const intruder = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password });
  const { id: userId, refreshToken: refresh_token } = intruder;
  const begun = await scene.call('POST /auth/cli');
  const { login_code } = z.object({ body: z.object({ login_code: z.string() }) }).parse(begun).body;
  const code = await scene.code('password_reset', { address: email, userId, data: {} });
  const answers = await oneAfterTheOther(server, userId, {
    first: () => scene.call('POST /auth/password/reset', { body: { code, password: next } }),
    second: () => scene.call('POST /auth/cli/complete', { level: 'server', body: { login_code, refresh_token } }),
  });
  expect(answers).toEqual([success, success]);
  expect(await scene.sessionsOf(userId)).toBe(0);
});
