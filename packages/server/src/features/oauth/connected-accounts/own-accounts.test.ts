import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestServer } from '../../../test/harness.ts';
import { invalid, plainPasswords, success } from '../../sign-in/scene.fixtures.ts';
import { newGithubUser, type OAuthScene, openGithubServer, openOAuthScene } from '../oauth.fixtures.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
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
