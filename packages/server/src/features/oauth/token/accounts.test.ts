import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestServer } from '../../../test/harness.ts';
import { plainPasswords, refused } from '../../sign-in/scene.fixtures.ts';
import {
  type FakeGithubUser,
  newGithubUser,
  type OAuthScene,
  openGithubServer,
  openOAuthScene,
  redirectTarget,
} from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
  scene = await openOAuthScene(server);
});
afterAll(() => server.close());

const errorPage = 'http://localhost:3000/handler/error';
const accountOf = ({ id, email = null }: FakeGithubUser) => ({ id: 'github', account_id: id, email });

/** A user whom a server created, with a sign-in address. */
function owner(on: OAuthScene, email: string, more: object = {}) {
  return on.person({ primary_email: email, primary_email_auth_enabled: true, primary_email_verified: true, ...more });
}

describe('a sign-up with a provider', () => {
  test('creates a user from the profile', async () => {
    const person = newGithubUser({ email: `Ada.${Date.now()}@Example.com` });
    const { user, isNewUser } = await scene.signIn(person);
    expect(isNewUser).toBe(true);
    expect(await scene.userById(user.id)).toMatchObject({
      display_name: 'Ada Lovelace',
      profile_image_url: `https://avatars.example/${person.id}`,
      primary_email: person.email?.toLowerCase(),
      primary_email_verified: true,
      primary_email_auth_enabled: true,
      has_password: false,
      otp_auth_enabled: false,
      auth_with_email: false,
      is_anonymous: false,
      oauth_providers: [accountOf(person)],
    });
  });

  test('control 73: does not take an address with a Kelvin sign for the same address with a k', async () => {
    const mike = await owner(scene, 'mike@example.com');
    const { user, isNewUser } = await scene.signIn(newGithubUser({ email: 'mi\u212ae@example.com' }));
    expect(isNewUser).toBe(true);
    expect(user).toMatchObject({ primary_email: null });
    expect(await scene.userById(mike.id)).toMatchObject({ oauth_providers: [] });
  });

  test('works with an address that the provider has not verified, and without one', async () => {
    const unverified = await scene.signIn(newGithubUser({ isVerified: false }));
    expect(unverified.user).toMatchObject({ primary_email_verified: false });
    const person = newGithubUser({ email: null, name: null });
    const { user } = await scene.signIn(person);
    expect(user).toMatchObject({ primary_email: null, display_name: null, oauth_providers: [accountOf(person)] });
  });

  test('signs in the same user later, whatever the profile says then', async () => {
    const person = newGithubUser();
    const { user } = await scene.signIn(person);
    const later = await scene.signIn({ ...person, name: 'Countess', email: `new-${person.email}` });
    expect(later).toMatchObject({ isNewUser: false, user });
  });

  test('an account that a server attached signs in', async () => {
    const person = newGithubUser();
    const { id } = await scene.person({ oauth_providers: [accountOf(person)] });
    expect(await scene.signIn(person)).toMatchObject({ isNewUser: false, user: { id } });
  });

  test('is refused while sign-up is off, also for an account that could be merged', async () => {
    const closed = await openOAuthScene(server, { signUpEnabled: false });
    const [known, unknown, mergeable] = [newGithubUser(), newGithubUser(), newGithubUser()];
    await closed.person({ oauth_providers: [accountOf(known)] });
    await owner(closed, mergeable.email ?? '');
    expect((await closed.signIn(known)).isNewUser).toBe(false);
    for (const person of [unknown, mergeable]) {
      expect(outcome(await closed.completeFlow(person))).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    }
    const answer = await closed.completeFlow(unknown, { error_redirect_url: errorPage });
    expect(answer.headers.get('location')).toMatch(/\/error\?errorCode=SIGN_UP_NOT_ENABLED&message=.+&details=%7B%7D$/);
  });

  test('of 10 concurrent sign-ins creates one user, and all sign in', async () => {
    const person = newGithubUser();
    const signIns = await Promise.all(Array.from({ length: 10 }, () => scene.signIn(person)));
    expect(signIns.filter(({ isNewUser }) => isNewUser)).toHaveLength(1);
    expect(new Set(signIns.map(({ user }) => user.id)).size).toBe(1);
  });

  test('runs the steps of every user creation', async () => {
    const own = await openOAuthScene(server, { createTeamOnSignUp: true });
    const { user } = await own.signIn(newGithubUser());
    expect(user.selected_team).toMatchObject({ display_name: "Ada Lovelace's Team" });
  });

  test('control 54: of another provider with the same account id creates another user', async () => {
    const person = newGithubUser();
    const { id } = await scene.person({ oauth_providers: [{ id: 'google', account_id: person.id, email: null }] });
    const { user, isNewUser } = await scene.signIn(person);
    expect(isNewUser).toBe(true);
    expect(user.id).not.toBe(id);
  });

  test('control 92: in another project creates another user', async () => {
    const person = newGithubUser();
    const elsewhere = await openOAuthScene(server);
    const [one, two] = [await scene.signIn(person), await elsewhere.signIn(person)];
    expect(two.isNewUser).toBe(true);
    expect(two.user.id).not.toBe(one.user.id);
  });
});

describe('a provider account with the address of an existing user', () => {
  test('control 55: link_method merges when both sides have verified the address', async () => {
    const person = newGithubUser({ email: `Mixed.${Date.now()}@Example.com` });
    const { id } = await owner(scene, person.email?.toLowerCase() ?? '', { display_name: 'Before' });
    const { user, isNewUser } = await scene.signIn(person);
    expect(isNewUser).toBe(false);
    expect(user).toMatchObject({ id, display_name: 'Before', oauth_providers: [accountOf(person)] });
    expect(user).toMatchObject({ profile_image_url: null });
  });

  test('control 68: a merge sends a notice to the user', async () => {
    const person = newGithubUser();
    await owner(scene, person.email ?? '');
    await scene.takeEmails();
    await scene.signIn(person);
    expect(await scene.takeEmails()).toEqual([
      { template: 'provider_linked', recipient: person.email, variables: { providerName: 'GitHub' } },
    ]);
    await scene.signIn(person);
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('a refusal redirects to the error page with its details', async () => {
    const person = newGithubUser({ isVerified: false });
    await owner(scene, person.email ?? '');
    const answer = await scene.completeFlow(person, { error_redirect_url: errorPage });
    const { searchParams } = new URL(redirectTarget(answer) ?? '');
    expect(searchParams.get('errorCode')).toBe('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE');
    expect(JSON.parse(searchParams.get('details') ?? '')).toEqual({
      type: 'email',
      contact_channel_value: person.email,
    });
  });

  test('concurrent sign-ups by password and by provider with one address make one account', async () => {
    for (let round = 0; round < 5; round++) {
      const person = newGithubUser();
      const body = { email: person.email, password: 'correct horse', verification_callback_url: errorPage };
      const code = await scene.code(person);
      const [byPassword, byProvider] = await Promise.all([
        scene.call('POST /auth/password/sign-up', { body }),
        scene.exchange(code),
      ]);
      // The other one is refused: its address is taken, or belongs to an account that has not verified it.
      expect([
        [200, 409],
        [409, 200],
      ]).toContainEqual([byPassword.status, byProvider.status]);
    }
  });

  test('control 56: a reset of a never-verified account removes its provider link', async () => {
    const person = newGithubUser({ isVerified: false });
    const { user } = await scene.signIn(person);
    const body = { email: person.email, callback_url: 'http://localhost:3000/reset' };
    await scene.call('POST /auth/password/send-reset-code', { body });
    const code = await scene.emailedCode();
    await scene.call('POST /auth/password/reset', { body: { code, password: 'correct horse' } });
    expect(await scene.userById(user.id)).toMatchObject({ oauth_providers: [], has_password: true });
  });
});

describe('linking a provider account', () => {
  const link = async (person: FakeGithubUser, token: string, query: Record<string, string> = {}) =>
    scene.completeFlow(person, { type: 'link', token, ...query });

  test('attaches it to the user of the token, and changes nothing else', async () => {
    const user = await scene.person({ display_name: 'Before' });
    const person = newGithubUser();
    const { user: after, isNewUser } = await scene.signIn(person, { type: 'link', token: user.accessToken });
    expect(isNewUser).toBe(false);
    expect(after).toMatchObject({ id: user.id, display_name: 'Before', primary_email: null });
    expect(after).toMatchObject({ oauth_providers: [accountOf(person)] });
    expect(await scene.sessionsOf(user.id)).toBe(2);
    expect(await scene.signIn(person)).toMatchObject({ isNewUser: false, user: { id: user.id } });
  });

  test('ignores the sign-up switch and the owner of the address', async () => {
    const own = await openOAuthScene(server, { signUpEnabled: false, oauthAccountMergeStrategy: 'raise_error' });
    const person = newGithubUser();
    await owner(own, person.email ?? '');
    const user = await own.person();
    const { user: after } = await own.signIn(person, { type: 'link', token: user.accessToken });
    expect(after).toMatchObject({ id: user.id, primary_email: null });
  });

  test('the same account again changes nothing', async () => {
    const user = await scene.person();
    const person = newGithubUser();
    await scene.signIn(person, { type: 'link', token: user.accessToken });
    const again = await scene.signIn(person, { type: 'link', token: user.accessToken });
    expect(again.user).toMatchObject({ id: user.id, oauth_providers: [accountOf(person)] });
  });

  test('a second account of the provider is USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION', async () => {
    const user = await scene.person({ oauth_providers: [accountOf(newGithubUser())] });
    expect(outcome(await link(newGithubUser(), user.accessToken))).toEqual({
      status: 409,
      code: 'USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION',
    });
    const answer = await link(newGithubUser(), user.accessToken, { error_redirect_url: errorPage });
    expect(answer.headers.get('location')).toContain('errorCode=USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION');
  });

  test('the account of another user is OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', async () => {
    const person = newGithubUser();
    await scene.signIn(person);
    const { accessToken } = await scene.person();
    expect(outcome(await link(person, accessToken))).toEqual({
      status: 409,
      code: 'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
    });
  });

  test('of two concurrent links of one user to one provider the second is refused with 409', async () => {
    const { accessToken: token } = await scene.person();
    const people = [newGithubUser(), newGithubUser()];
    const codes = await Promise.all(people.map(person => scene.code(person, { type: 'link', token })));
    const answers = await Promise.all(codes.map(code => scene.exchange(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('of two concurrent links of one provider account to two users the second is refused with 409', async () => {
    const person = newGithubUser();
    const users = [await scene.person(), await scene.person()];
    const codes = await Promise.all(users.map(({ accessToken: token }) => scene.code(person, { type: 'link', token })));
    const answers = await Promise.all(codes.map(code => scene.exchange(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is a text 400 when the user was deleted meanwhile', async () => {
    const user = await scene.person();
    const flow = await scene.startFlow({ type: 'link', token: user.accessToken });
    await scene.call('DELETE /users/{user_id}', { level: 'server', params: { user_id: user.id } });
    const code = Buffer.from(JSON.stringify(newGithubUser())).toString('base64url');
    expect(outcome(await scene.callCallback(flow, { code }))).toEqual(refused(400));
  });

  test('control 68: needs a recent sign-in where the project requires it', async () => {
    const careful = await openOAuthScene(server, { freshSignInWithinMs: 60_000 });
    const { accessToken: token } = await careful.person();
    expect((await careful.authorize({ type: 'link', token })).status).toBe(307);
    server.clock.advance(60_001);
    const stale = await careful.authorize({ type: 'link', token });
    expect(outcome(stale)).toMatchObject({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    expect((await careful.authorize()).status).toBe(307);
  });
});

describe('the OAuth upgrade of an anonymous user', () => {
  let own: OAuthScene;
  beforeAll(async () => {
    own = await openOAuthScene(server, { anonymousUsersEnabled: true });
  });

  test('keeps the id, and opens a new session', async () => {
    const before = await own.anonymous();
    const person = newGithubUser();
    const { user, isNewUser } = await own.signIn(person, { token: before.accessToken });
    expect(isNewUser).toBe(true);
    expect(user).toMatchObject({
      id: before.id,
      is_anonymous: false,
      display_name: 'Ada Lovelace',
      profile_image_url: `https://avatars.example/${person.id}`,
      primary_email: person.email,
      primary_email_verified: true,
      oauth_providers: [accountOf(person)],
    });
    // Control 36: the earlier sessions end.
    expect(await own.isLive(before)).toBe(false);
    expect(await own.signIn(person)).toMatchObject({ isNewUser: false, user: { id: before.id } });
  });

  test('keeps the display name when the provider sends none', async () => {
    const before = await own.anonymous();
    const { user } = await own.signIn(newGithubUser({ name: null, email: null }), { token: before.accessToken });
    expect(user).toMatchObject({ id: before.id, display_name: 'Anonymous user', primary_email: null });
  });

  test('is not made by a sign-in to an existing account', async () => {
    const person = newGithubUser();
    const { user: known } = await own.signIn(person);
    const before = await own.anonymous();
    const { user } = await own.signIn(person, { token: before.accessToken });
    expect(user.id).toBe(known.id);
    expect(await own.userById(before.id)).toMatchObject({ is_anonymous: true });
  });

  test('needs the token of the anonymous user: no other token upgrades', async () => {
    const before = await own.anonymous();
    expect((await own.signIn(newGithubUser())).user.id).not.toBe(before.id);
    const known = await own.person();
    const { user } = await own.signIn(newGithubUser(), { token: known.accessToken });
    expect(user.id).not.toBe(known.id);
    expect(await own.userById(known.id)).toMatchObject({ oauth_providers: [] });
  });
});
