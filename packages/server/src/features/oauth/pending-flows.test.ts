import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '../../platform/database/database.ts';
import type { TestServer } from '../../test/harness.ts';
import { callback, plainPasswords, refused, success } from '../sign-in/scene.fixtures.ts';
import { codeOf, newGithubUser, type OAuthScene, openGithubServer, openOAuthScene } from './oauth.fixtures.ts';
import { endPendingFlows } from './store.ts';

let server: TestServer;
let scene: OAuthScene;
beforeAll(async () => {
  server = await openGithubServer({ passwords: plainPasswords() });
  scene = await openOAuthScene(server);
});
afterAll(() => server.close());

const end = (userId: string) =>
  transaction(server.deps.db, tx => endPendingFlows(tx, { projectId: scene.project.id, userId }));

test('ending the pending flows of a user refuses the authorization codes that would sign the user in', async () => {
  const person = newGithubUser();
  const { user } = await scene.signIn(person);
  const code = await scene.code(person);
  const ofAnother = await scene.code(newGithubUser());
  await end(user.id);
  expect(outcome(await scene.exchange(code))).toEqual({ status: 400, code: 'INVALID_AUTHORIZATION_CODE' });
  expect((await scene.exchange(ofAnother)).status).toBe(200);
});

test('ending the pending flows of a user refuses the callback of a link that the user began', async () => {
  const ada = await scene.person();
  const flow = await scene.startFlow({ type: 'link', token: ada.accessToken });
  await end(ada.id);
  expect(outcome(await scene.callCallback(flow, { code: codeOf(newGithubUser()) }))).toEqual(refused(400));
});

test('control 56: a password reset that proves an unverified address refuses an authorization code from before', async () => {
  const person = newGithubUser({ isVerified: false });
  await scene.signIn(person);
  const code = await scene.code(person);
  await scene.call('POST /auth/password/send-reset-code', { body: { email: person.email, callback_url: callback } });
  const body = { code: await scene.emailedCode(), password: 'the next password' };
  expect(await scene.call('POST /auth/password/reset', { body })).toEqual(success);
  expect(outcome(await scene.exchange(code))).toEqual({ status: 400, code: 'INVALID_AUTHORIZATION_CODE' });
});
