import { ClientApp, isKnown, RequestError, ServerApp } from '@tessera/client';
import { StackServerApp } from '@tessera/client/stack';
import { expect } from 'vitest';
import { type Person, somebody } from './support/people.ts';
import type { TesseraServer } from './support/tessera-server.ts';
import { test } from './support/test.ts';

const verificationCallbackUrl = 'http://localhost:3000/verify';

function clientApp({ url, keys }: TesseraServer) {
  const { projectId, publishableClientKey } = keys;
  return new ClientApp({ projectId, publishableClientKey, baseUrl: url, tokenStore: 'memory' });
}

function serverApp({ url, keys }: TesseraServer) {
  const { projectId, publishableClientKey, secretServerKey } = keys;
  return new ServerApp({ projectId, publishableClientKey, secretServerKey, baseUrl: url, tokenStore: null });
}

async function signedUp(server: TesseraServer, person: Person = somebody()) {
  const app = clientApp(server);
  expect(await app.signUpWithCredential({ ...person, verificationCallbackUrl })).toMatchObject({ status: 'ok' });
  return { app, person, user: await app.getUser({ or: 'throw' }) };
}

test('somebody signs up, is known, changes their name, signs out and in again', async ({ server }) => {
  const { app, person, user } = await signedUp(server);
  expect(user).toMatchObject({ primaryEmail: person.email, displayName: null, hasPassword: true, isAnonymous: false });

  await user.update({ displayName: 'Ada', clientMetadata: { theme: 'dark', list: [1, { deep: null }] } });
  expect(await app.getUser()).toMatchObject({
    displayName: 'Ada',
    clientMetadata: { theme: 'dark', list: [1, { deep: null }] },
  });

  await app.signOut();
  expect(await app.getUser()).toBeNull();
  await expect(app.getUser({ or: 'throw' })).rejects.toThrow('not signed in');

  expect(await app.signInWithCredential(person)).toMatchObject({ status: 'ok' });
  expect(await app.getUser()).toMatchObject({ id: user.id, displayName: 'Ada' });
});

test('what is refused is a result that names its code', async ({ server }) => {
  const { app, person } = await signedUp(server);
  const stranger = clientApp(server);

  const wrong = await stranger.signInWithCredential({ ...person, password: 'not my password' });
  const taken = await stranger.signUpWithCredential({ ...person, verificationCallbackUrl });
  const short = await stranger.signUpWithCredential({ ...somebody(), password: 'short', verificationCallbackUrl });
  expect([wrong, taken, short].map(codeOf)).toEqual([
    'EMAIL_PASSWORD_MISMATCH',
    'USER_EMAIL_ALREADY_EXISTS',
    'PASSWORD_TOO_SHORT',
  ]);
  expect(await stranger.getUser()).toBeNull();
  expect(await app.getUser()).not.toBeNull();
});

function codeOf(result: { status: string; error?: unknown }): string | undefined {
  const { error } = result;
  return error instanceof Object && 'errorCode' in error ? String(error.errorCode) : undefined;
}

test('a new access token is another one and works; one that the server rejects is replaced unseen', async ({
  server,
}) => {
  const { app, user } = await signedUp(server);
  const before = await user.currentSession.getTokens();
  const fresh = await user._internalSession.fetchNewTokens();
  expect(fresh?.refreshToken).toBe(before.refreshToken);
  expect(await app.getUser()).toMatchObject({ id: user.id });

  const accessToken = (fresh?.accessToken ?? '').replace(/[^.]+$/, signature => signature.split('').reverse().join(''));
  const spoilt = { accessToken, refreshToken: fresh?.refreshToken ?? null };
  expect(await serverApp(server).getUser({ tokenStore: spoilt })).toMatchObject({ id: user.id });
});

test('control 32: after signing out the refresh token is worth nothing', async ({ server }) => {
  const { app, user } = await signedUp(server);
  const { refreshToken } = await user.getAuthJson();
  await app.signOut();
  expect(await serverApp(server).getUser({ tokenStore: { accessToken: null, refreshToken } })).toBeNull();
});

test('control 32: a deleted account is nobody from that moment on, and its address is free', async ({ server }) => {
  const { app, person, user } = await signedUp(server);
  const tokens = await user.getAuthJson();
  await user.delete();
  expect(await app.getUser()).toBeNull();
  expect(await serverApp(server).getUser({ tokenStore: tokens })).toBeNull();
  await signedUp(server, person);
});

test('control 43: a server knows two people by what their requests carry, at the same time', async ({ server }) => {
  const people = await Promise.all([signedUp(server), signedUp(server)]);
  const app = serverApp(server);
  const requests = await Promise.all(
    people.map(async ({ user }) => new Request('http://shop.example', { headers: await user.getAuthHeaders() })),
  );
  const rounds = Array.from({ length: 20 }, (_, round) => requests[round % 2] as Request);
  const seen = await Promise.all(rounds.map(tokenStore => app.getUser({ tokenStore })));
  expect(seen.map(user => user?.id)).toEqual(rounds.map((_, round) => people[round % 2]?.user.id));
  expect(await app.getUser({ tokenStore: new Request('http://shop.example') })).toBeNull();
});

test('a server writes what only servers may, and the client sees its part of it', async ({ server }) => {
  const { app, user } = await signedUp(server);
  const tokenStore = await user.getAuthJson();
  const known = await serverApp(server).getUser({ tokenStore, or: 'throw' });

  await known.update({ serverMetadata: { plan: 'secret' }, clientReadOnlyMetadata: { plan: 'gold' } });
  await known.setPrimaryEmail(user.primaryEmail, { verified: true });
  const changed = await serverApp(server).getUser({ tokenStore, or: 'throw' });
  expect(changed).toMatchObject({ serverMetadata: { plan: 'secret' }, primaryEmailVerified: true });

  const own = await app.getUser({ or: 'throw' });
  expect(own).toMatchObject({ clientReadOnlyMetadata: { plan: 'gold' }, primaryEmailVerified: true });
  expect(JSON.stringify(own.toClientJson())).not.toContain('secret');
});

test('the project says what it offers', async ({ server }) => {
  const project = await clientApp(server).getProject();
  expect(project).toMatchObject({
    id: server.keys.projectId,
    displayName: 'Demo',
    config: { signUpEnabled: true, credentialEnabled: true },
  });
});

test('a wrong key and a missing server are told apart', async ({ server }) => {
  const { projectId } = server.keys;
  const withKey = (publishableClientKey: string, baseUrl: string) =>
    new ClientApp({ projectId, publishableClientKey, baseUrl, tokenStore: 'memory' });

  const wrongKey = await withKey('pck_wrong', server.url).signInWithCredential(somebody()).catch(same);
  expect(isKnown(wrongKey, 'INVALID_PUBLISHABLE_CLIENT_KEY')).toBe(true);
  const noServer = await withKey('pck_wrong', 'http://localhost:9').signInWithCredential(somebody()).catch(same);
  expect(noServer).toBeInstanceOf(RequestError);
});

function same(error: unknown): unknown {
  return error;
}

test('the door for apps that migrate leads to the same', async ({ server }) => {
  const { user } = await signedUp(server);
  const { url: baseUrl, keys } = server;
  const app = new StackServerApp({ ...keys, baseUrl, tokenStore: await user.getAuthJson() });
  expect(await app.getUser()).toMatchObject({ id: user.id });
});
