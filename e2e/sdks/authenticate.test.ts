import { ClientApp, ServerApp } from '@tessera/client';
import { until } from '@tessera/testing/until';
import { expect } from 'vitest';
import { newPerson } from '../support/people.ts';
import { configure } from '../support/project.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

/** Authentication without a request to the server, with our SDK from Node against a real server. */

function appsOf({ url, keys }: TesseraServer) {
  const { projectId, publishableClientKey, secretServerKey } = keys;
  const common = { projectId, publishableClientKey, baseUrl: url };
  return {
    browser: new ClientApp({ ...common, tokenStore: 'memory' }),
    backend: new ServerApp({ ...common, secretServerKey, tokenStore: null }),
  };
}

async function signedUp(server: TesseraServer) {
  const apps = appsOf(server);
  await configure(server);
  await apps.browser.signUpWithCredential({ ...newPerson(), verificationCallbackUrl: 'http://localhost:3000/verify' });
  const user = await apps.browser.getUser({ or: 'throw' });
  const { accessToken } = await user.getAuthJson();
  return { ...apps, user, request: { headers: { authorization: `Bearer ${accessToken}` } } };
}

test('a backend knows the user of a bearer token, also while the server is stopped', async ({ server }) => {
  const { backend, user, request } = await signedUp(server);
  expect(await backend.authenticate(request)).toMatchObject({ status: 'signed-in', userId: user.id });
  await server.stop();
  expect(await backend.authenticate(request)).toMatchObject({ status: 'signed-in', userId: user.id });
  await server.start();
});

test('with the revocation feed a backend refuses a session that has been signed out', async ({ server }) => {
  const { backend, user, request } = await signedUp(server);
  const signedIn = await backend.authenticate(request, { revocation: 'feed' });
  expect(signedIn).toMatchObject({ status: 'signed-in', userId: user.id });
  await user.signOut();
  // Without the feed the access token would be good for ten minutes.
  const ended = await until('the session has ended', async () => {
    const state = await backend.authenticate(request, { revocation: 'feed' });
    return state.status === 'signed-in' ? undefined : state;
  });
  expect(ended.reason).toBe('session-ended');
});
