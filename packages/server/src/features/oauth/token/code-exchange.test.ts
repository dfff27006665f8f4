import { oauthEndpoints } from '@tessera/protocol';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allWork } from '../../../compose.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { TestServer } from '../../../test/harness.ts';
import { auditedFailures, type Person, plainPasswords } from '../../sign-in/scene.fixtures.ts';
import {
  challengeOf,
  codeOf,
  type FakeGithubUser,
  newGithubUser,
  type OAuthScene,
  openGithubServer,
  openOAuthScene,
} from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openOAuthScene(server, { anonymousUsersEnabled: true });
});

const invalidCode = { status: 400, code: 'INVALID_AUTHORIZATION_CODE' };
const attackersVerifier = 'attackers-verifier-'.repeat(3);
const accountOf = ({ id, email = null }: FakeGithubUser) => ({ id: 'github', account_id: id, email });

const signOut = ({ accessToken, refreshToken }: Person) =>
  server.call('DELETE /auth/sessions/current', { project: scene.project, accessToken, refreshToken });

async function usersOf({ email }: FakeGithubUser): Promise<unknown> {
  return scene.call('GET /users', { level: 'server', query: { query: email ?? '' } });
}

/** The victim opens an authorize URL of the attacker, signs in at the provider, and returns. */
async function lure(victim: FakeGithubUser, query: Record<string, string>): Promise<string> {
  const flow = await scene.startFlow({ ...query, code_challenge: challengeOf(attackersVerifier) });
  const answer = await scene.callCallback(flow, { code: codeOf(victim) });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

describe('a victim who opens an authorize URL of an attacker', () => {
  test('control 49: is not linked to the attacker’s user, and later signs in to an own account', async () => {
    const [attacker, victim] = [await scene.person(), newGithubUser()];
    const code = await lure(victim, { type: 'link', token: attacker.accessToken });
    expect(await scene.userById(attacker.id)).toMatchObject({ oauth_providers: [] });
    expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
    const { user, isNewUser } = await scene.signIn(victim);
    expect(isNewUser).toBe(true);
    expect(user).toMatchObject({ id: expect.not.stringMatching(attacker.id), oauth_providers: [accountOf(victim)] });
    // The attacker cannot use the code either: the provider account belongs to the victim.
    const late = await scene.exchange(code, { code_verifier: attackersVerifier });
    expect(outcome(late)).toEqual({ status: 409, code: 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER' });
    expect(await scene.userById(attacker.id)).toMatchObject({ oauth_providers: [] });
  });

  test('does not upgrade the attacker’s anonymous user, and later signs in to an own account', async () => {
    const [attacker, victim] = [await scene.anonymous(), newGithubUser()];
    await lure(victim, { token: attacker.accessToken });
    expect(await scene.userById(attacker.id)).toMatchObject({ is_anonymous: true, oauth_providers: [] });
    const { user, isNewUser } = await scene.signIn(victim);
    expect(isNewUser).toBe(true);
    expect(user.id).not.toBe(attacker.id);
    expect(await scene.userById(attacker.id)).toMatchObject({ is_anonymous: true, primary_email: null });
  });

  test('is not signed up: the callback creates no user and stores no provider token', async () => {
    const victim = newGithubUser();
    await lure(victim, {});
    expect(await usersOf(victim)).toMatchObject({ body: { items: [] } });
    expect(await server.deps.db.query(sql`select id from oauth_tokens where account_id = ${victim.id}`)).toEqual([]);
    expect((await scene.signIn(victim)).isNewUser).toBe(true);
  });

  test('with a mergeable address is not merged by the callback', async () => {
    const victim = newGithubUser();
    const verified = { primary_email_auth_enabled: true, primary_email_verified: true };
    const { id } = await scene.person({ primary_email: victim.email, ...verified });
    await lure(victim, {});
    expect(await scene.userById(id)).toMatchObject({ oauth_providers: [] });
  });
});

describe('a link whose session has ended', () => {
  test('before the exchange is refused with INVALID_AUTHORIZATION_CODE, and the code is spent', async () => {
    const ada = await scene.person();
    const code = await scene.code(newGithubUser(), { type: 'link', token: ada.accessToken });
    await signOut(ada);
    expect([outcome(await scene.exchange(code)), outcome(await scene.exchange(code))]).toEqual([
      invalidCode,
      invalidCode,
    ]);
    expect(await scene.userById(ada.id)).toMatchObject({ oauth_providers: [] });
    expect(await auditedFailures(server, scene.project)).toContainEqual({
      method: 'github',
      reason: 'INVALID_AUTHORIZATION_CODE',
      userId: ada.id,
    });
  });

  test('is refused although another session of the user is open', async () => {
    const ada = await scene.person();
    const code = await scene.code(newGithubUser(), { type: 'link', token: ada.accessToken });
    await scene.session(ada.id);
    await signOut(ada);
    expect(outcome(await scene.exchange(code))).toEqual(invalidCode);
  });

  test('before it begins is refused with ACCESS_TOKEN_EXPIRED', async () => {
    const ada = await scene.person();
    await signOut(ada);
    expect(outcome(await scene.authorize({ type: 'link', token: ada.accessToken }))).toEqual({
      status: 401,
      code: 'ACCESS_TOKEN_EXPIRED',
      details: { expired_at_millis: server.clock.now() },
    });
  });
});

test('an anonymous user whose session ended before the exchange is not upgraded: a separate user is created', async () => {
  const before = await scene.anonymous();
  const person = newGithubUser();
  const code = await scene.code(person, { token: before.accessToken });
  await signOut(before);
  expect((await scene.exchange(code)).status).toBe(200);
  expect(await scene.userById(before.id)).toMatchObject({ is_anonymous: true, oauth_providers: [] });
  expect(await scene.signIn(person)).toMatchObject({ isNewUser: false });
});

describe('between the callback and the exchange', () => {
  const spent = async (code: string, expected: { status: number; code: string; details?: object }) => {
    expect([outcome(await scene.exchange(code)), outcome(await scene.exchange(code))]).toEqual([expected, invalidCode]);
    // The OpenAPI document lists the codes of the table.
    expect(oauthEndpoints.token.errors).toContain(expected.code);
  };

  test('sign-up is switched off: SIGN_UP_NOT_ENABLED', async () => {
    const person = newGithubUser();
    const code = await scene.code(person);
    await scene.configure({ signUpEnabled: false });
    await spent(code, { status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    expect(await usersOf(person)).toMatchObject({ body: { items: [] } });
  });

  test('the provider is switched off: OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED, for a known user and for a new one', async () => {
    const [known, unknown] = [newGithubUser(), newGithubUser()];
    const { user } = await scene.signIn(known);
    const codes = [await scene.code(known), await scene.code(unknown)];
    await scene.configure({ oauthProviders: [] });
    for (const code of codes) await spent(code, { status: 400, code: 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED' });
    expect(await scene.sessionsOf(user.id)).toBe(1);
    expect(await usersOf(unknown)).toMatchObject({ body: { items: [] } });
  });

  test('the address is taken: CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE', async () => {
    const person = newGithubUser();
    const code = await scene.code(person);
    await scene.person({ primary_email: person.email, primary_email_auth_enabled: true });
    await spent(code, {
      status: 409,
      code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
      details: { type: 'email', contact_channel_value: person.email },
    });
  });

  test('the account is linked to another user: OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', async () => {
    const [ada, person] = [await scene.person(), newGithubUser()];
    const code = await scene.code(person, { type: 'link', token: ada.accessToken });
    await scene.person({ oauth_providers: [accountOf(person)] });
    await spent(code, { status: 409, code: 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER' });
  });

  test('another account is linked to the user: USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION', async () => {
    const { accessToken: token } = await scene.person();
    const code = await scene.code(newGithubUser(), { type: 'link', token });
    await scene.signIn(newGithubUser(), { type: 'link', token });
    await spent(code, { status: 409, code: 'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION' });
  });

  test('the user of a link is deleted: INVALID_AUTHORIZATION_CODE', async () => {
    const ada = await scene.person();
    const code = await scene.code(newGithubUser(), { type: 'link', token: ada.accessToken });
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: ada.id } });
    await spent(code, invalidCode);
  });

  test('the user is created by another sign-in: the same user signs in, not new', async () => {
    const person = newGithubUser();
    const code = await scene.code(person);
    const { user } = await scene.signIn(person);
    expect((await scene.exchange(code)).json).toMatchObject({ is_new_user: false });
    expect(await scene.sessionsOf(user.id)).toBe(2);
  });
});

describe('the profile and tokens of a provider', () => {
  const rows = () =>
    server.deps.db.query<{ row: string; encrypted: Buffer | null }>(sql`
    select oauth_authorization_codes::text as row, provider_sign_in as encrypted from oauth_authorization_codes
    where project_id = ${scene.project.id}
  `);

  test('control 57: wait for the exchange encrypted, and are erased by it', async () => {
    const person = newGithubUser();
    const code = await scene.code(person);
    const [waiting] = await rows();
    expect(waiting?.encrypted?.byteLength).toBeGreaterThan(0);
    expect(waiting?.encrypted?.toString('latin1')).not.toContain(person.id);
    await scene.exchange(code);
    expect((await rows()).map(({ encrypted }) => encrypted)).toEqual([null]);
  });

  test('control 104: are deleted after a minute when the code is not used', async () => {
    await scene.code(newGithubUser());
    server.clock.advance(60_000);
    await allWork(server.deps).tasks.purge?.({});
    expect(await rows()).toEqual([]);
  });
});
