import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, notFound, plainPasswords, refused, success } from '../../sign-in/scene.fixtures.ts';
import { attemptCodeOf, totpOf } from '../../sign-in/totp.fixtures.ts';
import {
  codeOf,
  createFakeProviders,
  type FakeGithubUser,
  newGithubUser,
  type OAuthScene,
  openOAuthScene,
  playGithub,
} from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
/** Runs while a callback waits for the provider. */
let onProviderCall: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  const fakes = createFakeProviders();
  playGithub(fakes);
  const holdingFetch: typeof fetch = async (input, init) => {
    await onProviderCall?.();
    return fakes.fetch(input, init);
  };
  server = await openTestServer({ passwords: plainPasswords(), fetch: holdingFetch });
});
afterAll(() => server.close());
beforeEach(async () => {
  onProviderCall = undefined;
  scene = await openOAuthScene(server, { credentialEnabled: true });
});

interface Session {
  readonly accessToken: string;
}
const list = ({ accessToken }: Session) => scene.call('GET /extensions/connected-accounts', { accessToken });
const disconnect = ({ accessToken }: Session, provider_id = 'github') =>
  scene.call('DELETE /extensions/connected-accounts/{provider_id}', { accessToken, params: { provider_id } });
const setPassword = ({ accessToken }: Session) =>
  scene.call('POST /auth/password/set', { accessToken, body: { password: 'quiet lantern orbit' } });

const tokens = z.object({ refresh_token: z.string() });
const events = z.object({ items: z.array(z.looseObject({ action: z.string() })) });
const notConnected = { status: 400, code: 'OAUTH_CONNECTION_NOT_CONNECTED_TO_USER' };

describe('GET /extensions/connected-accounts', () => {
  test('lists the provider accounts of the caller with the names that the providers give', async () => {
    const person = newGithubUser();
    const signedIn = await scene.signIn(person);
    expect(await list(signedIn)).toEqual({
      status: 200,
      body: {
        items: [
          {
            provider_id: 'github',
            name: 'Ada Lovelace',
            email: person.email,
            connected_at_millis: server.clock.now(),
          },
        ],
        is_paginated: false,
      },
    });
    expect(await list(await scene.person())).toMatchObject({ body: { items: [] } });
    expect(await scene.call('GET /extensions/connected-accounts')).toEqual(invalid);
  });

  test('an account that a server attached has no name', async () => {
    const oauth_providers = [{ id: 'github', account_id: '7', email: null }];
    expect(await list(await scene.person({ oauth_providers }))).toMatchObject({
      body: { items: [{ provider_id: 'github', name: null, email: null }] },
    });
  });
});

describe('DELETE /extensions/connected-accounts/{provider_id}', () => {
  test('disconnects the provider, sends a notice, and the next sign-in with it is a sign-up', async () => {
    const person = newGithubUser();
    const signedIn = await scene.signIn(person);
    await setPassword(signedIn);
    const { accessToken } = await scene.session(signedIn.user.id);
    await scene.takeEmails();
    expect(await disconnect({ accessToken })).toEqual(success);
    expect(await scene.takeEmails()).toMatchObject([
      { template: 'provider_unlinked', recipient: person.email, variables: { providerName: 'GitHub' } },
    ]);
    expect(await scene.userById(signedIn.user.id)).toMatchObject({ oauth_providers: [] });
    const another = { ...person, email: `other-${person.email}` };
    expect((await scene.signIn(another)).user.id).not.toBe(signedIn.user.id);
  });

  /** A user with a password and a connected provider. */
  async function withPassword(person: FakeGithubUser) {
    const signedIn = await scene.signIn(person);
    await setPassword(signedIn);
    return { id: signedIn.user.id, ...(await scene.session(signedIn.user.id)) };
  }

  test('an authorization code from before, and a link that the user began before, do not connect it again', async () => {
    const person = newGithubUser();
    const ada = await withPassword(person);
    const code = await scene.code(person);
    const link = await scene.startFlow({ type: 'link', token: ada.accessToken });
    expect(await disconnect(ada)).toEqual(success);
    expect(outcome(await scene.exchange(code))).toEqual({ status: 400, code: 'INVALID_AUTHORIZATION_CODE' });
    expect(outcome(await scene.callCallback(link, { code: codeOf(person) }))).toEqual(refused(400));
    expect(await list(ada)).toMatchObject({ body: { items: [] } });
  });

  test('control 50: the second use of a code from before still revokes the session of the first', async () => {
    const person = newGithubUser();
    const ada = await withPassword(person);
    const code = await scene.code(person);
    const { refresh_token: refreshToken } = tokens.parse((await scene.exchange(code)).json);
    expect(await disconnect(ada)).toEqual(success);
    expect(await scene.isLive({ refreshToken })).toBe(true);
    expect(outcome(await scene.exchange(code))).toEqual({ status: 400, code: 'INVALID_AUTHORIZATION_CODE' });
    expect(await scene.isLive({ refreshToken })).toBe(false);
  });

  test('a link whose callback waits for the provider does not connect it again', async () => {
    const person = newGithubUser();
    const ada = await withPassword(person);
    const link = await scene.startFlow({ type: 'link', token: ada.accessToken });
    onProviderCall = () => disconnect(ada);
    expect(outcome(await scene.callCallback(link, { code: codeOf(person) }))).toEqual(refused(400));
    expect(outcome(await scene.callCallback(link, { code: codeOf(person) }))).toEqual(refused(400));
    expect(await list(ada)).toMatchObject({ body: { items: [] } });
  });

  test('flows of other providers and of other users complete', async () => {
    const ada = await withPassword(newGithubUser());
    const ofAnother = await scene.code(newGithubUser());
    const link = await scene.startFlow({ type: 'link', token: ada.accessToken }, 'google');
    expect(await disconnect(ada)).toEqual(success);
    expect((await scene.exchange(ofAnother)).status).toBe(200);
    const denied = await scene.callCallback(link, { error: 'access_denied' }, { provider_id: 'google' });
    expect(outcome(denied)).toEqual({ status: 400, code: 'OAUTH_PROVIDER_ACCESS_DENIED' });
  });

  test('a sign-in with it that waits for the second factor does not complete', async () => {
    const person = newGithubUser();
    const ada = await withPassword(person);
    const { accessToken } = ada;
    await scene.call('PATCH /users/me', { accessToken, body: { totp_secret_base64: totpOf.secretBase64 } });
    const code = attemptCodeOf((await scene.exchange(await scene.code(person))).json);
    expect(await disconnect(ada)).toEqual(success);
    const body = { code, type: 'totp', totp: totpOf.now(server.clock.now()) };
    expect(await scene.call('POST /auth/mfa/sign-in', { body })).toEqual(notFound);
  });

  test('control 97: the audit events of a link and of its removal name the provider in the same field', async () => {
    const ada = await scene.person({
      password: 'quiet lantern orbit',
      primary_email_auth_enabled: true,
      primary_email: scene.address(),
    });
    await scene.signIn(newGithubUser(), { type: 'link', token: ada.accessToken });
    server.clock.advance(1);
    expect(await disconnect(ada)).toEqual(success);
    const call = { project: scene.project, level: 'admin', query: { user_id: ada.id } } as const;
    const { items } = events.parse((await server.call('GET /internal/extensions/audit-log', call)).json);
    expect(items.filter(({ action }) => action.startsWith('factor.provider_'))).toMatchObject([
      { action: 'factor.provider_unlinked', details: { provider: 'github' } },
      { action: 'factor.provider_linked', details: { provider: 'github' } },
    ]);
  });

  test('the last sign-in method is refused, and stays', async () => {
    const signedIn = await scene.signIn(newGithubUser());
    expect(await disconnect(signedIn)).toEqual({ status: 409, code: 'LAST_SIGN_IN_METHOD' });
    expect(await list(signedIn)).toMatchObject({ body: { items: [{ provider_id: 'github' }] } });
  });

  test.each([
    ['a password without an address', { password: 'quiet lantern orbit' }],
    ['sign-in by code with an unverified address', { otp_auth_enabled: true, primary_email_auth_enabled: true }],
    ['sign-in by code with a contact address', { otp_auth_enabled: true, primary_email_verified: true }],
  ])('the provider of a user who has only %s left is refused', async (_, fields) => {
    const oauth_providers = [{ id: 'github', account_id: '7', email: null }];
    const address = 'otp_auth_enabled' in fields ? { primary_email: scene.address() } : {};
    const ada = await scene.person({ ...address, ...fields, oauth_providers });
    expect(await disconnect(ada)).toEqual({ status: 409, code: 'LAST_SIGN_IN_METHOD' });
    expect(await list(ada)).toMatchObject({ body: { items: [{ provider_id: 'github' }] } });
  });

  test('the provider of a user with sign-in by code and a verified sign-in address is disconnected', async () => {
    const oauth_providers = [{ id: 'github', account_id: '7', email: null }];
    const address = { primary_email: scene.address(), primary_email_auth_enabled: true, primary_email_verified: true };
    const ada = await scene.person({ ...address, otp_auth_enabled: true, oauth_providers });
    expect(await disconnect(ada)).toEqual(success);
  });

  test('a provider that is not connected is refused', async () => {
    expect(await disconnect(await scene.signIn(newGithubUser()), 'google')).toEqual(notConnected);
    expect(await disconnect(await scene.person())).toEqual(notConnected);
  });
});
