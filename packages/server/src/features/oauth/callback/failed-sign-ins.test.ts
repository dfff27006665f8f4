import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { auditedFailures, inOrder, type Person, plainPasswords } from '../../sign-in/scene.fixtures.ts';
import { totpOf } from '../../sign-in/totp.fixtures.ts';
import {
  codeOf,
  createFakeProviders,
  githubTokenEndpoint,
  newGithubUser,
  type OAuthScene,
  openOAuthScene,
  playGithub,
} from '../oauth.fixtures.ts';

const fakes = createFakeProviders();

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openTestServer({ fetch: fakes.fetch, passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  playGithub(fakes);
  scene = await openOAuthScene(server);
});

const failures = () => auditedFailures(server, scene.project);
const failed = (reason: string, more: { readonly userId?: string; readonly cause?: string } = {}) => ({
  method: 'github',
  reason,
  userId: null,
  ...more,
});

function owner(email: string, fields: object = {}): Promise<Person> {
  const verified = { primary_email_auth_enabled: true, primary_email_verified: true };
  return scene.person({ primary_email: email, ...verified, ...fields });
}

describe('control 97: the audit log records a refused OAuth sign-in', () => {
  test('that the user or the provider refused', async () => {
    const refuseCode = () => Response.json({ error: 'invalid_grant', error_description: 'secret' }, { status: 400 });
    await inOrder(server, [
      async () => scene.callCallback(await scene.startFlow(), { error: 'access_denied' }),
      async () => scene.callCallback(await scene.startFlow(), { error: 'server_error', error_description: 'secret' }),
      async () => {
        fakes.answer(githubTokenEndpoint, refuseCode);
        return scene.callCallback(await scene.startFlow(), { code: 'secretcode' });
      },
    ]);
    expect(await failures()).toEqual([
      failed('OAUTH_PROVIDER_ACCESS_DENIED', { cause: 'provider_denied' }),
      failed('The provider did not complete the sign-in. Please begin again.', { cause: 'provider_answer' }),
      failed('The provider does not know this sign-in any more. Please begin again.', { cause: 'provider_grant' }),
    ]);
  });

  test('that redirected to the error page', async () => {
    const error_redirect_url = 'http://localhost:3000/error';
    const answer = await scene.callCallback(await scene.startFlow({ error_redirect_url }), { error: 'access_denied' });
    expect(answer.status).toBe(303);
    expect(await failures()).toEqual([failed('OAUTH_PROVIDER_ACCESS_DENIED', { cause: 'provider_denied' })]);
  });

  test('that the project or the account refused, and the account', async () => {
    const person = newGithubUser({ isVerified: false });
    const ada = await owner(person.email ?? '');
    const late = await scene.startFlow();
    server.clock.advance(600_000);
    await inOrder(server, [
      () => scene.callCallback(late, { code: codeOf(person) }),
      () => scene.completeFlow(person),
      () => scene.completeFlow(newGithubUser(), { redirect_uri: 'https://evil.example/' }),
      () => scene.configure({ signUpEnabled: false }),
      () => scene.completeFlow(newGithubUser()),
    ]);
    expect(await failures()).toEqual([
      failed('OUTER_OAUTH_TIMEOUT'),
      failed('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE', { userId: ada.id }),
      failed('The redirect URI is not one of the trusted domains of the project.', { cause: 'redirect' }),
      failed('SIGN_UP_NOT_ENABLED'),
    ]);
  });

  test('of a user who links an account', async () => {
    const other = newGithubUser();
    await scene.signIn(other);
    const ada = await scene.person();
    await scene.completeFlow(other, { type: 'link', token: ada.accessToken });
    expect(await failures()).toEqual([
      failed('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER', { userId: ada.id }),
    ]);
  });

  test('that the code exchange refused', async () => {
    const person = newGithubUser();
    const { user } = await scene.signIn(person);
    const [wrong, elsewhere, nowhere] = [await scene.code(person), await scene.code(person), await scene.code(person)];
    await inOrder(server, [
      () => scene.exchange('x'),
      () => scene.exchange(wrong, { code_verifier: 'x'.repeat(43) }),
      () => scene.exchange(elsewhere, { redirect_uri: 'https://evil.example/' }),
      () => scene.exchange(elsewhere),
      () => scene.exchange(nowhere, { redirect_uri: undefined }),
    ]);
    expect(await failures()).toEqual([
      { method: 'oauth', reason: 'INVALID_AUTHORIZATION_CODE', userId: null },
      failed('INVALID_AUTHORIZATION_CODE', { userId: user.id }),
      failed('REDIRECT_URL_NOT_WHITELISTED', { userId: user.id }),
      failed('INVALID_AUTHORIZATION_CODE', { userId: user.id }),
      failed('invalid_request', { userId: user.id }),
    ]);
  });

  test('a successful sign-in and one that requires a second factor are not recorded', async () => {
    const person = newGithubUser();
    const { user } = await scene.signIn(person);
    const body = { totp_secret_base64: totpOf.secretBase64 };
    await scene.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: user.id }, body });
    const answer = await scene.exchange(await scene.code(person));
    expect(answer.headers.get('x-stack-known-error')).toBe('MULTI_FACTOR_AUTHENTICATION_REQUIRED');
    expect(await failures()).toEqual([]);
  });

  test('that came back in another browser, and the flow stays usable in the first one', async () => {
    const flow = await scene.startFlow();
    const refused = await scene.callCallback({ ...flow, cookie: '' }, { code: codeOf(newGithubUser()) });
    expect(refused.status).toBe(400);
    expect(await failures()).toEqual([failed('OAUTH_OTHER_BROWSER')]);
    expect((await scene.callCallback(flow, { code: codeOf(newGithubUser()) })).status).toBe(303);
  });

  test('that a provider is not enabled when the browser starts', async () => {
    await scene.configure({ oauthProviders: [] });
    await scene.authorize();
    expect(await failures()).toEqual([failed('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED')]);
  });

  test('with the trace id on the error page that asks for it', async () => {
    const error_redirect_url = 'http://localhost:3000/error?trace_id=';
    const answer = await scene.callCallback(await scene.startFlow({ error_redirect_url }), { error: 'access_denied' });
    const shown = new URL(answer.headers.get('location') ?? '').searchParams.get('trace_id');
    expect(shown).toBe(answer.headers.get('x-stack-request-id'));
  });

  test('without data of the caller', async () => {
    await inOrder(server, [
      async () => scene.callCallback(await scene.startFlow(), { error: 'server_error', error_description: 'a secret' }),
      () => scene.exchange('secretcode'),
    ]);
    expect(JSON.stringify(await failures())).not.toContain('secret');
  });
});
