import { StackAdminApp, StackClientApp, StackServerApp } from '@stackframe/js';
import { describe, expect } from 'vitest';
import { newPerson } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

/** The unchanged SDK of the hosted service, as in an app that migrates by changing its base URL. */
function apps({ url, keys }: TesseraServer) {
  const { superSecretAdminKey, secretServerKey, ...client } = keys;
  const options = { ...client, baseUrl: url, tokenStore: 'memory', noAutomaticPrefetch: true } as const;
  return {
    client: new StackClientApp({ ...options, redirectMethod: 'none' }),
    server: new StackServerApp({ ...options, redirectMethod: 'none', secretServerKey }),
    admin: new StackAdminApp({ ...options, redirectMethod: 'none', secretServerKey, superSecretAdminKey }),
  };
}

const verificationCallbackUrl = 'http://localhost:3000/verify';

async function createUser(server: TesseraServer) {
  const person = newPerson();
  const all = apps(server);
  const result = await all.client.signUpWithCredential({ ...person, verificationCallbackUrl, noRedirect: true });
  expect(result).toMatchObject({ status: 'ok' });
  return { ...all, person, user: await all.client.getUser({ or: 'throw' }) };
}

describe('the SDK of the hosted service, in a client', () => {
  test('signs up, reads and changes the user, signs out and in', async ({ server }) => {
    const { client, person, user } = await createUser(server);
    expect(user).toMatchObject({ primaryEmail: person.email, displayName: null, hasPassword: true });

    await user.update({ displayName: 'Ada', clientMetadata: { theme: 'dark' } });
    expect(await client.getUser()).toMatchObject({ displayName: 'Ada', clientMetadata: { theme: 'dark' } });

    await user.signOut();
    expect(await client.getUser()).toBeNull();
    const wrong = await client.signInWithCredential({ ...person, password: 'not my password', noRedirect: true });
    expect(wrong).toMatchObject({ status: 'error', error: { errorCode: 'EMAIL_PASSWORD_MISMATCH' } });
    const right = await client.signInWithCredential({ ...person, noRedirect: true });
    expect(right).toMatchObject({ status: 'ok' });
    expect(await client.getUser()).toMatchObject({ id: user.id, displayName: 'Ada' });
  });

  test('returns error classes for refused calls', async ({ server }) => {
    const { client, person } = await createUser(server);
    const again = { ...person, verificationCallbackUrl, noRedirect: true };
    const taken = await client.signUpWithCredential(again);
    expect(taken).toMatchObject({ status: 'error', error: { errorCode: 'USER_EMAIL_ALREADY_EXISTS' } });
    const short = await client.signUpWithCredential({ ...again, email: newPerson().email, password: 'short' });
    expect(short).toMatchObject({ status: 'error', error: { errorCode: 'PASSWORD_TOO_SHORT' } });
  });

  test('gets a new access token with its refresh token and keeps the refresh token', async ({ server }) => {
    const { client, user } = await createUser(server);
    const before = await user.currentSession.getTokens();
    const fresh = await user._internalSession.fetchNewTokens();
    expect(fresh?.refreshToken?.token).toBe(before.refreshToken);
    expect(await client.getUser()).toMatchObject({ id: user.id });
  });

  test('lists sessions and ends the others', async ({ server }) => {
    const { person, user } = await createUser(server);
    const elsewhere = apps(server).client;
    await elsewhere.signInWithCredential({ ...person, noRedirect: true });

    const sessions = await user.getActiveSessions();
    expect(sessions.map(({ isCurrentSession }) => isCurrentSession).sort()).toEqual([false, true]);
    const other = sessions.find(({ isCurrentSession }) => !isCurrentSession);
    await user.revokeSession(other?.id ?? '');
    expect(await user.getActiveSessions()).toHaveLength(1);
  });

  test('changes the password', async ({ server }) => {
    const { person, user } = await createUser(server);
    const newPassword = 'another good password';
    const refused = await user.updatePassword({ oldPassword: 'not my password', newPassword });
    expect(refused).toMatchObject({ errorCode: 'PASSWORD_CONFIRMATION_MISMATCH' });
    await user.updatePassword({ oldPassword: person.password, newPassword });
    const signIn = await apps(server).client.signInWithCredential({
      ...person,
      password: newPassword,
      noRedirect: true,
    });
    expect(signIn).toMatchObject({ status: 'ok' });
  });

  test('lists and adds email addresses', async ({ server }) => {
    const { person, user } = await createUser(server);
    const { email } = newPerson();
    await user.createContactChannel({ type: 'email', value: email, usedForAuth: false });
    const channels = await user.listContactChannels();
    expect(channels.map(({ value, isPrimary }) => [value, isPrimary]).sort()).toEqual(
      [
        [person.email, true],
        [email, false],
      ].sort(),
    );
  });

  test('reads the project', async ({ server }) => {
    const { client } = apps(server);
    expect(await client.getProject()).toMatchObject({ id: server.keys.projectId, displayName: 'Demo' });
  });
});

describe('the SDK of the hosted service, on a server', () => {
  test('creates, finds, lists, changes and deletes users', async ({ server }) => {
    const { server: app } = apps(server);
    const { email, password } = newPerson();
    const user = await app.createUser({ primaryEmail: email, password, primaryEmailAuthEnabled: true });
    expect(await app.getUser(user.id)).toMatchObject({ primaryEmail: email, hasPassword: true });

    await user.update({ displayName: 'Grace', serverMetadata: { plan: 'gold' } });
    const found = await app.listUsers({ query: email });
    expect(found.map(({ id, displayName }) => [id, displayName])).toEqual([[user.id, 'Grace']]);
    expect((await app.getUser(user.id))?.serverMetadata).toEqual({ plan: 'gold' });

    await user.delete();
    expect(await app.getUser(user.id)).toBeNull();
  });

  test('identifies the caller by the x-stack-auth header', async ({ server }) => {
    const { server: app, user } = await createUser(server);
    const tokenStore = new Request('http://shop.example', { headers: await user.getAuthHeaders() });
    expect(await app.getUser({ tokenStore })).toMatchObject({ id: user.id });
  });

  test('creates a session for a user', async ({ server }) => {
    const { server: app, user } = await createUser(server);
    const known = await app.getUser(user.id);
    const session = await known?.createSession({ isImpersonation: true });
    const { accessToken, refreshToken } = (await session?.getTokens()) ?? {};
    const tokenStore = { accessToken: accessToken ?? '', refreshToken: refreshToken ?? '' };
    expect(await app.getUser({ tokenStore })).toMatchObject({ id: user.id });
  });

  test('creates teams, adds and removes members, and the members see it', async ({ server }) => {
    const { server: app, user } = await createUser(server);
    const team = await app.createTeam({ displayName: 'Crew' });
    await team.addUser(user.id);
    expect((await user.listTeams()).map(({ displayName }) => displayName)).toEqual(['Crew']);
    expect((await team.listUsers()).map(({ id }) => id)).toEqual([user.id]);

    await user.setSelectedTeam(await user.getTeam(team.id));
    expect((await app.getUser(user.id))?.selectedTeam?.id).toBe(team.id);
    await team.update({ displayName: 'Old crew', serverMetadata: { n: 1 } });
    expect(await app.getTeam(team.id)).toMatchObject({ displayName: 'Old crew', serverMetadata: { n: 1 } });

    await team.removeUser(user.id);
    expect(await team.listUsers()).toEqual([]);
    await team.delete();
    expect(await app.getTeam(team.id)).toBeNull();
  });

  test('grants and revokes permissions in a team and in the project', async ({ server }) => {
    const { server: app, admin, user } = await createUser(server);
    const team = await app.createTeam({ displayName: 'Crew', creatorUserId: user.id });
    await admin.createTeamPermissionDefinition({ id: 'moderate', description: 'May', containedPermissionIds: [] });
    await admin.createProjectPermissionDefinition({ id: 'beta', description: 'May', containedPermissionIds: [] });

    const known = await app.getUser(user.id);
    await known?.grantPermission(team, 'moderate');
    await known?.grantPermission('beta');
    const own = await user.getTeam(team.id);
    if (own === null) throw new Error('the team is not among the teams of its creator');
    expect(await user.hasPermission(own, 'moderate')).toBe(true);
    expect(await user.hasPermission('beta')).toBe(true);
    expect((await admin.listTeamPermissionDefinitions()).map(({ id }) => id)).toContain('moderate');

    await known?.revokePermission(team, 'moderate');
    expect(await known?.hasPermission(team, 'moderate')).toBe(false);
  });

  test('creates, finds and revokes API keys, and gets an error where they are switched off', async ({ server }) => {
    const { server: app, admin, user } = await createUser(server);
    const project = await admin.getProject();
    await project.update({ config: { allowUserApiKeys: true } });
    const known = await app.getUser(user.id);
    if (known === null) throw new Error('the user does not exist');
    const key = await known.createApiKey({ description: 'ci', expiresAt: null });
    expect(await app.getUser({ apiKey: key.value })).toMatchObject({ id: user.id });
    expect(await user.listApiKeys()).toMatchObject([{ id: key.id, description: 'ci' }]);
    await key.revoke();
    expect(await app.getUser({ apiKey: key.value })).toBeNull();

    await project.update({ config: { allowUserApiKeys: false } });
    await expect(known.createApiKey({ description: 'ci', expiresAt: null })).rejects.toThrow('switched off');
    await project.update({ config: { allowUserApiKeys: true } });
  });
});
