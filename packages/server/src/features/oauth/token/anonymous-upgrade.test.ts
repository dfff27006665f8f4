import { createAuthenticator } from '@tessera/testing/authenticator';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { TestServer } from '../../../test/harness.ts';
import { callback, type Person, plainPasswords } from '../../sign-in/scene.fixtures.ts';
import { newGithubUser, type OAuthScene, openGithubServer, openOAuthScene } from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
let anonymous: Person;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openOAuthScene(server, {
    anonymousUsersEnabled: true,
    passkeyEnabled: true,
    clientTeamCreationEnabled: true,
    allowUserApiKeys: true,
  });
  anonymous = await withBelongings(await scene.anonymous());
});

const withUser = z.object({ body: z.object({ user_id: z.string() }) });

/** Signs a new user up, with or without an access token. @returns the id of the user */
const methods: Readonly<Record<string, (accessToken: string | undefined) => Promise<string>>> = {
  async password(accessToken) {
    const body = { email: scene.address(), password: 'correct horse', verification_callback_url: callback };
    return userIdOf(await scene.call('POST /auth/password/sign-up', { ...sent(accessToken), body }));
  },
  async 'an email code'(accessToken) {
    const body = { email: scene.address(), callback_url: callback };
    await scene.call('POST /auth/otp/send-sign-in-code', { body });
    const code = await scene.emailedCode();
    return userIdOf(await scene.call('POST /auth/otp/sign-in', { ...sent(accessToken), body: { code } }));
  },
  async 'a provider'(accessToken) {
    return (await scene.signIn(newGithubUser(), { token: accessToken })).user.id;
  },
};

const names = Object.keys(methods);
const signUp = (name: string, accessToken?: string) => methods[name]?.(accessToken);
const sent = (accessToken: string | undefined) => (accessToken === undefined ? {} : { accessToken });
const userIdOf = (outcome: object) => withUser.parse(outcome).body.user_id;

/** Gives an anonymous user a team, permissions and metadata. */
async function withBelongings(person: Person): Promise<Person> {
  const { id, accessToken } = person;
  const team = await scene.call('POST /teams', { accessToken, body: { display_name: 'Mine', creator_user_id: 'me' } });
  const { id: teamId } = z.object({ body: z.object({ id: z.string() }) }).parse(team).body;
  await scene.call('PATCH /users/me', {
    accessToken,
    body: { client_metadata: { cart: [1, 2] }, selected_team_id: teamId },
  });
  const metadata = { server_metadata: { plan: 'free' }, client_read_only_metadata: { level: 3 } };
  await scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: id }, body: metadata });
  return person;
}

/** What an upgrade must not change. */
async function belongingsOf(id: string) {
  const query = { user_id: id };
  const kept = z.object({
    id: z.string(),
    signed_up_at_millis: z.number(),
    client_metadata: z.unknown(),
    client_read_only_metadata: z.unknown(),
    server_metadata: z.unknown(),
    selected_team: z.object({ display_name: z.literal('Mine') }),
  });
  return {
    user: kept.parse(await scene.userById(id)),
    teams: await scene.call('GET /teams', { level: 'server', query }),
    teamPermissions: await scene.call('GET /team-permissions', { level: 'server', query }),
    projectPermissions: await scene.call('GET /project-permissions', { level: 'server', query }),
  };
}

describe.each(names)('an anonymous user who signs up with %s', name => {
  test('keeps id, teams, permissions and metadata, and is not anonymous any more', async () => {
    const before = await belongingsOf(anonymous.id);
    expect(await signUp(name, anonymous.accessToken)).toBe(anonymous.id);
    expect(await belongingsOf(anonymous.id)).toEqual(before);
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: false });
  });

  test('control 36: has no session from before', async () => {
    await signUp(name, anonymous.accessToken);
    expect(await scene.isLive(anonymous)).toBe(false);
    expect(await scene.sessionsOf(anonymous.id)).toBe(1);
  });

  test('is not upgraded without the token: a separate user is created, and the anonymous one keeps everything', async () => {
    const before = await belongingsOf(anonymous.id);
    const other = await signUp(name);
    expect(other).not.toBe(anonymous.id);
    expect(await scene.userById(other ?? '')).toMatchObject({ selected_team: null, server_metadata: null });
    expect(await belongingsOf(anonymous.id)).toEqual(before);
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: true });
    expect(await scene.isLive(anonymous)).toBe(true);
  });
});

describe('control 34: an impersonation session of an anonymous user', () => {
  let impersonation: string;
  beforeEach(async () => {
    impersonation = (await scene.session(anonymous.id, { is_impersonation: true })).accessToken;
  });
  afterEach(async () => {
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: true, primary_email: null });
    expect(await scene.isLive(anonymous)).toBe(true);
  });
  const isRefused = { status: 403, says: 'a sentence' };

  test('cannot upgrade the user with a password: the sign-up is refused with 403', async () => {
    const body = { email: scene.address(), password: 'correct horse', verification_callback_url: callback };
    const options = { accessToken: impersonation, body };
    expect(await scene.call('POST /auth/password/sign-up', options)).toEqual(isRefused);
  });

  test('cannot upgrade the user with an email code: the sign-in is refused with 403', async () => {
    const body = { email: scene.address(), callback_url: callback };
    await scene.call('POST /auth/otp/send-sign-in-code', { body });
    const options = { accessToken: impersonation, body: { code: await scene.emailedCode() } };
    expect(await scene.call('POST /auth/otp/sign-in', options)).toEqual(isRefused);
  });

  test('cannot upgrade the user with a provider: the authorize endpoint answers 403', async () => {
    expect(outcome(await scene.authorize({ token: impersonation }))).toEqual(isRefused);
  });
});

test('control 30: a provider sign-in with the anonymous token of another project creates a separate user', async () => {
  const elsewhere = await openOAuthScene(server, { anonymousUsersEnabled: true });
  const stranger = await elsewhere.anonymous();
  const { user, isNewUser } = await scene.signIn(newGithubUser(), { token: stranger.accessToken });
  expect(isNewUser).toBe(true);
  expect(user.id).not.toBe(stranger.id);
  expect(await elsewhere.userById(stranger.id)).toMatchObject({ is_anonymous: true });
});

test('of two concurrent provider sign-ins with one anonymous token one upgrades, and the other creates a user', async () => {
  const people = [newGithubUser(), newGithubUser()];
  const signIns = await Promise.all(people.map(person => scene.signIn(person, { token: anonymous.accessToken })));
  const ids = signIns.map(({ user }) => user.id);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toContain(anonymous.id);
});

describe('a passkey of an anonymous user', () => {
  async function passkeyOf({ accessToken }: Person) {
    const started = await scene.call('POST /auth/passkey/initiate-passkey-registration', { accessToken, body: {} });
    const options = z.object({ challenge: z.string(), user: z.object({ id: z.string() }) });
    const parsed = z.object({ body: z.object({ code: z.string(), options_json: options }) }).parse(started).body;
    const authenticator = createAuthenticator();
    const body = { code: parsed.code, credential: authenticator.register(parsed.options_json) };
    await scene.call('POST /auth/passkey/register', { accessToken, body });
    return authenticator;
  }

  async function signInWith(authenticator: ReturnType<typeof createAuthenticator>, accessToken?: string) {
    const started = await scene.call('POST /auth/passkey/initiate-passkey-authentication', { body: {} });
    const options = z.object({ challenge: z.string() });
    const parsed = z.object({ body: z.object({ code: z.string(), options_json: options }) }).parse(started).body;
    const body = { code: parsed.code, authentication_response: authenticator.signIn(parsed.options_json) };
    return scene.call('POST /auth/passkey/sign-in', { ...sent(accessToken), body });
  }

  test('signs in to the anonymous user, unchanged', async () => {
    const before = await belongingsOf(anonymous.id);
    const authenticator = await passkeyOf(anonymous);
    const answer = await signInWith(authenticator, anonymous.accessToken);
    expect(answer).toMatchObject({ status: 200, body: { user_id: anonymous.id, is_new_user: false } });
    expect(await belongingsOf(anonymous.id)).toEqual(before);
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: true, passkey_auth_enabled: true });
    expect(await scene.isLive(anonymous)).toBe(true);
  });

  test('signs in to its own account, with any token', async () => {
    const ada = await scene.person();
    const authenticator = await passkeyOf(ada);
    const answer = await signInWith(authenticator, anonymous.accessToken);
    expect(answer).toMatchObject({ status: 200, body: { user_id: ada.id } });
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: true });
    expect(await scene.isLive(anonymous)).toBe(true);
  });

  test.each(names)('is deleted by an upgrade by %s', async name => {
    const authenticator = await passkeyOf(anonymous);
    await signUp(name, anonymous.accessToken);
    expect(await signInWith(authenticator)).toEqual({ status: 400, code: 'PASSKEY_AUTHENTICATION_FAILED' });
    expect(await scene.userById(anonymous.id)).toMatchObject({ passkey_auth_enabled: false });
  });
});

describe('the credentials that an attacker added to an anonymous user', () => {
  const password = 'the attacker’s password';
  const totpSecret = Buffer.alloc(20, 'a').toString('base64');

  /** Adds an address that signs in, a password, an API key, a second factor and a provider link. */
  async function addCredentials({ id, accessToken }: Person) {
    const address = scene.address();
    const channel = { user_id: 'me', value: address, type: 'email', used_for_auth: true, is_primary: true };
    await scene.call('POST /contact-channels', { accessToken, body: channel });
    await scene.call('POST /auth/password/set', { accessToken, body: { password } });
    const key = { user_id: 'me', description: 'a key', expires_at_millis: null };
    const made = await scene.call('POST /user-api-keys', { accessToken, body: key });
    const apiKey = z.object({ body: z.object({ value: z.string() }) }).parse(made).body.value;
    const provider = newGithubUser();
    const code = await scene.code(provider, { type: 'link', token: accessToken });
    const { json } = await scene.exchange(code);
    const session = z.object({ refresh_token: z.string() }).parse(json);
    const pendingLink = await scene.code(provider, { type: 'link', token: accessToken });
    await scene.call('PATCH /users/me', { accessToken, body: { totp_secret_base64: totpSecret } });
    expect(await scene.userById(id)).toMatchObject({
      has_password: true,
      requires_totp_mfa: true,
      primary_email: address,
      oauth_providers: [{ id: 'github', account_id: provider.id }],
    });
    return { address, apiKey, provider, pendingLink, session: { refreshToken: session.refresh_token } };
  }

  test.each(['password', 'an email code'])('are all removed by an upgrade by %s', async name => {
    const { address, apiKey, provider, pendingLink, session } = await addCredentials(anonymous);
    expect(await signUp(name, anonymous.accessToken)).toBe(anonymous.id);

    const user = await scene.userById(anonymous.id);
    expect(user).toMatchObject({ is_anonymous: false, requires_totp_mfa: false, oauth_providers: [] });
    const channels = await scene.call('GET /contact-channels', { level: 'server', query: { user_id: anonymous.id } });
    expect(channels).toMatchObject({ body: { items: [{ is_primary: true }] } });
    expect(JSON.stringify(channels)).not.toContain(address);
    const signIn = await scene.call('POST /auth/password/sign-in', { body: { email: address, password } });
    expect(signIn).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
    const check = await scene.call('POST /user-api-keys/check', { level: 'server', body: { api_key: apiKey } });
    expect(check).toMatchObject({ status: 404 });
    expect([await scene.isLive(anonymous), await scene.isLive(session)]).toEqual([false, false]);
    expect(outcome(await scene.exchange(pendingLink))).toEqual({ status: 400, code: 'INVALID_AUTHORIZATION_CODE' });
    expect((await scene.signIn(provider)).user.id).not.toBe(anonymous.id);
  });

  test('are all removed by an upgrade through a provider', async () => {
    const { address, apiKey, session } = await addCredentials(anonymous);
    await scene.call('PATCH /users/me', { accessToken: anonymous.accessToken, body: { totp_secret_base64: null } });
    const victim = newGithubUser();
    const { user } = await scene.signIn(victim, { token: anonymous.accessToken });
    expect(user).toMatchObject({
      id: anonymous.id,
      is_anonymous: false,
      has_password: false,
      primary_email: victim.email,
      oauth_providers: [{ id: 'github', account_id: victim.id }],
    });
    const signIn = await scene.call('POST /auth/password/sign-in', { body: { email: address, password } });
    expect(signIn).toEqual({ status: 400, code: 'EMAIL_PASSWORD_MISMATCH' });
    const check = await scene.call('POST /user-api-keys/check', { level: 'server', body: { api_key: apiKey } });
    expect(check).toMatchObject({ status: 404 });
    expect([await scene.isLive(anonymous), await scene.isLive(session)]).toEqual([false, false]);
  });
});

test('an upgrade that proves an address which the anonymous user had verified before keeps the password', async () => {
  const address = scene.address();
  const { id, accessToken } = anonymous;
  const channel = { user_id: id, value: address, type: 'email', used_for_auth: false, is_verified: true };
  await scene.call('POST /contact-channels', { level: 'server', body: channel });
  await scene.call('POST /auth/password/set', { accessToken, body: { password: 'correct horse' } });
  const { user } = await scene.signIn(newGithubUser({ email: address }), { token: accessToken });
  expect(user).toMatchObject({ id, has_password: true, primary_email: address });
});

describe('an anonymous user with an unverified sign-in address', () => {
  let address: string;
  beforeEach(async () => {
    address = scene.address();
    const channel = { user_id: 'me', value: address, type: 'email', used_for_auth: true, is_primary: true };
    await scene.call('POST /contact-channels', { accessToken: anonymous.accessToken, body: channel });
    await scene.call('POST /auth/password/set', {
      accessToken: anonymous.accessToken,
      body: { password: 'correct horse' },
    });
  });

  test.each([true, false])(
    'signs up through a provider with the same address, verified there: %s',
    async isVerified => {
      const before = await belongingsOf(anonymous.id);
      const person = newGithubUser({ email: address, isVerified });
      const { isNewUser } = await scene.signIn(person, { token: anonymous.accessToken });
      expect(isNewUser).toBe(true);
      expect(await scene.userById(anonymous.id)).toMatchObject({
        is_anonymous: false,
        has_password: false,
        primary_email: address,
        primary_email_auth_enabled: true,
        primary_email_verified: isVerified,
      });
      expect(await belongingsOf(anonymous.id)).toEqual(before);
    },
  );

  test('keeps the address from a provider sign-in of others', async () => {
    const other = await scene.anonymous();
    const taken = { status: 409, code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE' };
    for (const token of [undefined, other.accessToken]) {
      expect(outcome(await scene.completeFlow(newGithubUser({ email: address }), { token }))).toMatchObject(taken);
    }
  });

  test('is not upgraded when its session ends before the exchange, and keeps the address', async () => {
    const code = await scene.code(newGithubUser({ email: address }), { token: anonymous.accessToken });
    await scene.call('DELETE /auth/sessions/current', anonymous);
    expect(outcome(await scene.exchange(code))).toMatchObject({ status: 409, code: 'USER_EMAIL_ALREADY_EXISTS' });
    expect(await scene.userById(anonymous.id)).toMatchObject({ is_anonymous: true, primary_email: address });
  });
});
