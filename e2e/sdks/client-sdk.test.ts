import { ClientApp, isKnown, RequestError, ServerApp } from '@tessera/client';
import { StackServerApp } from '@tessera/client/stack';
import { expect } from 'vitest';
import { newPerson, type Person } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

const verificationCallbackUrl = 'http://localhost:3000/verify';

function clientApp({ url, keys }: TesseraServer) {
  const { projectId, publishableClientKey } = keys;
  return new ClientApp({ projectId, publishableClientKey, baseUrl: url, tokenStore: 'memory' });
}

function serverApp({ url, keys }: TesseraServer) {
  const { projectId, publishableClientKey, secretServerKey } = keys;
  return new ServerApp({ projectId, publishableClientKey, secretServerKey, baseUrl: url, tokenStore: null });
}

async function createUser(server: TesseraServer, person: Person = newPerson()) {
  const app = clientApp(server);
  expect(await app.signUpWithCredential({ ...person, verificationCallbackUrl })).toMatchObject({ status: 'ok' });
  return { app, person, user: await app.getUser({ or: 'throw' }) };
}

test('a user signs up, changes the name, signs out and signs in again', async ({ server }) => {
  const { app, person, user } = await createUser(server);
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

test('a refused call returns a result with its error code', async ({ server }) => {
  const { app, person } = await createUser(server);
  const stranger = clientApp(server);

  const wrong = await stranger.signInWithCredential({ ...person, password: 'not my password' });
  const taken = await stranger.signUpWithCredential({ ...person, verificationCallbackUrl });
  const short = await stranger.signUpWithCredential({ ...newPerson(), password: 'short', verificationCallbackUrl });
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

test('a refreshed access token is new and works, and a rejected one is replaced automatically', async ({ server }) => {
  const { app, user } = await createUser(server);
  const before = await user.currentSession.getTokens();
  const fresh = await user._internalSession.fetchNewTokens();
  expect(fresh?.refreshToken).toBe(before.refreshToken);
  expect(await app.getUser()).toMatchObject({ id: user.id });

  const accessToken = (fresh?.accessToken ?? '').replace(/[^.]+$/, signature => signature.split('').reverse().join(''));
  const spoilt = { accessToken, refreshToken: fresh?.refreshToken ?? null };
  expect(await serverApp(server).getUser({ tokenStore: spoilt })).toMatchObject({ id: user.id });
});

test('control 32: after sign-out the refresh token is refused', async ({ server }) => {
  const { app, user } = await createUser(server);
  const { refreshToken } = await user.getAuthJson();
  await app.signOut();
  expect(await serverApp(server).getUser({ tokenStore: { accessToken: null, refreshToken } })).toBeNull();
});

test('control 32: a deleted account is signed out immediately, and its address is free', async ({ server }) => {
  const { app, person, user } = await createUser(server);
  const tokens = await user.getAuthJson();
  await user.delete();
  expect(await app.getUser()).toBeNull();
  expect(await serverApp(server).getUser({ tokenStore: tokens })).toBeNull();
  await createUser(server, person);
});

test('control 43: a server identifies two users by their concurrent requests', async ({ server }) => {
  const people = await Promise.all([createUser(server), createUser(server)]);
  const app = serverApp(server);
  const requests = await Promise.all(
    people.map(async ({ user }) => new Request('http://shop.example', { headers: await user.getAuthHeaders() })),
  );
  const rounds = Array.from({ length: 20 }, (_, round) => requests[round % 2] as Request);
  const seen = await Promise.all(rounds.map(tokenStore => app.getUser({ tokenStore })));
  expect(seen.map(user => user?.id)).toEqual(rounds.map((_, round) => people[round % 2]?.user.id));
  expect(await app.getUser({ tokenStore: new Request('http://shop.example') })).toBeNull();
});

test('a server writes server-only fields, and the client sees the readable ones', async ({ server }) => {
  const { app, user } = await createUser(server);
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

test('the project lists its features', async ({ server }) => {
  const project = await clientApp(server).getProject();
  expect(project).toMatchObject({
    id: server.keys.projectId,
    displayName: 'Demo',
    config: { signUpEnabled: true, credentialEnabled: true },
  });
});

test('a wrong key and an unreachable server cause different errors', async ({ server }) => {
  const { projectId } = server.keys;
  const withKey = (publishableClientKey: string, baseUrl: string) =>
    new ClientApp({ projectId, publishableClientKey, baseUrl, tokenStore: 'memory' });

  const wrongKey = await withKey('pck_wrong', server.url).signInWithCredential(newPerson()).catch(same);
  expect(isKnown(wrongKey, 'INVALID_PUBLISHABLE_CLIENT_KEY')).toBe(true);
  const noServer = await withKey('pck_wrong', 'http://localhost:9').signInWithCredential(newPerson()).catch(same);
  expect(noServer).toBeInstanceOf(RequestError);
});

function same(error: unknown): unknown {
  return error;
}

test('the entry point for migrating apps exports the same objects', async ({ server }) => {
  const { user } = await createUser(server);
  const { url: baseUrl, keys } = server;
  const app = new StackServerApp({ ...keys, baseUrl, tokenStore: await user.getAuthJson() });
  expect(await app.getUser()).toMatchObject({ id: user.id });
});
