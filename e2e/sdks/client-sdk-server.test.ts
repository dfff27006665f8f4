import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AdminApp, ClientApp, ServerApp } from '@tessera/client';
import { until } from '@tessera/testing/until';
import { describe, expect } from 'vitest';
import { mailTo } from '../support/mail.ts';
import { newPerson } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

/** Features for servers and owners with our SDK, against a real server. */

const page = 'http://localhost:3000/handler/page';

function apps({ url: baseUrl, keys }: TesseraServer) {
  const options = { ...keys, baseUrl, tokenStore: null } as const;
  return { server: new ServerApp(options), admin: new AdminApp(options) };
}

/** Creates a project and its owner. */
async function createOwnedProject(server: TesseraServer) {
  const { projects } = JSON.parse(await readFile(join(server.dataDir, 'keys.json'), 'utf8'));
  const app = new ClientApp({
    projectId: 'internal',
    publishableClientKey: projects.internal.publishableClientKey,
    baseUrl: server.url,
    tokenStore: 'memory',
  });
  await app.signUpWithCredential({ ...newPerson(), verificationCallbackUrl: page });
  const owner = await app.getUser({ or: 'throw' });
  return { owner, project: await owner.createProject({ displayName: 'Shop', description: 'Sells' }) };
}

describe('users', () => {
  test('users are created, found, listed in pages, changed and deleted', async ({ server }) => {
    const { server: app } = apps(server);
    const { email, password } = newPerson();
    const user = await app.createUser({
      primaryEmail: email,
      primaryEmailVerified: true,
      primaryEmailAuthEnabled: true,
      password,
      displayName: 'Ada',
      serverMetadata: { plan: 'gold' },
    });
    expect(await app.getUser(user.id)).toMatchObject({ displayName: 'Ada', hasPassword: true });
    await app.createUser({ displayName: `Ada of ${email}` });
    const last = await app.createUser({ displayName: `Ada of ${email}` });
    const first = await app.listUsers({ query: email, limit: 2 });
    expect(first).toHaveLength(2);
    expect(first.nextCursor).toBe(last.id);
    const second = await app.listUsers({ query: email, limit: 2, cursor: first.nextCursor ?? '' });
    expect(second.map(({ id }) => id)).toEqual([last.id]);
    expect(second.nextCursor).toBeNull();
    const newest = await app.listUsers({ query: email, desc: true });
    expect(newest.map(({ id }) => id).at(-1)).toBe(user.id);

    await user.update({ clientReadOnlyMetadata: { seat: 4 }, otpAuthEnabled: false });
    await user.setPrimaryEmail(null);
    expect(await app.getUser(user.id)).toMatchObject({ primaryEmail: null, clientReadOnlyMetadata: { seat: 4 } });
    await user.delete();
    expect(await app.getUser(user.id)).toBeNull();
  });

  test('a server creates sessions, and an owner creates impersonation sessions', async ({ server }) => {
    const { server: app, admin } = apps(server);
    const user = await app.createUser({ displayName: 'Ada' });
    const session = await user.createSession({ expiresInMillis: 60_000, isImpersonation: true });
    const tokenStore = await session.getTokens();
    expect(await app.getUser({ tokenStore })).toMatchObject({ id: user.id });
    await user.createSession();
    expect(await user.getActiveSessions()).toHaveLength(1);
    expect((await admin.getUser(user.id))?.id).toBe(user.id);
    const [own] = await user.getActiveSessions();
    await user.revokeSession(own?.id ?? '');
    expect(await user.getActiveSessions()).toEqual([]);
  });

  test('a server sets passwords, addresses and notification categories', async ({ server }) => {
    const { server: app } = apps(server);
    const user = await app.createUser({ displayName: 'Ada' });
    const { email, password } = newPerson();
    await user.createContactChannel({
      value: email,
      type: 'email',
      usedForAuth: true,
      isVerified: true,
      isPrimary: true,
    });
    expect(await user.setPassword({ password })).toBeUndefined();
    const [channel] = await user.listContactChannels();
    await channel?.update({ isVerified: false });
    expect(await app.getUser(user.id)).toMatchObject({ primaryEmail: email, primaryEmailVerified: false });
    const [, marketing] = await user.listNotificationCategories();
    await marketing?.setEnabled(false);
    expect((await user.listNotificationCategories()).map(({ enabled }) => enabled)).toEqual([true, false]);
  });
});

test('teams are created, found and filled, and their members are users', async ({ server }) => {
  const { server: app } = apps(server);
  const [ada, bob] = await Promise.all(['Ada', 'Bob'].map(displayName => app.createUser({ displayName })));
  if (!ada || !bob) throw new Error('no user was created');
  const team = await app.createTeam({ displayName: 'Crew', creatorUserId: ada.id });
  await team.addUser(bob.id);
  await bob.grantPermission(team, '$update_team');
  expect(await bob.hasPermission(team, '$update_team')).toBe(true);
  expect((await bob.listPermissions(team, { recursive: false })).map(({ id }) => id)).toEqual([
    '$update_team',
    'team_member',
  ]);
  await bob.revokePermission(team, '$update_team');
  expect(await bob.hasPermission(team, '$update_team')).toBe(false);

  await team.update({ serverMetadata: { n: 1 }, profileImageUrl: 'https://shop.example/crew.png' });
  expect(await app.getTeam(team.id)).toMatchObject({ serverMetadata: { n: 1 } });
  const members = await team.listUsers();
  expect(members.map(({ id, displayName, teamProfile }) => [id, displayName, teamProfile.displayName])).toEqual([
    [ada.id, 'Ada', 'Ada'],
    [bob.id, 'Bob', 'Bob'],
  ]);
  await team.inviteUser({ email: newPerson().email, callbackUrl: page });
  const [invitation] = await team.listInvitations();
  await invitation?.revoke();
  expect(await team.listInvitations()).toEqual([]);
  const second = await bob.createTeam({ displayName: 'Second' });
  expect((await app.getUser(bob.id))?.selectedTeam?.id).toBe(second.id);
  expect((await app.listTeams()).map(({ id }) => id)).toEqual(expect.arrayContaining([team.id, second.id]));
  await bob.leaveTeam(team);
  await team.removeUser(ada.id);
  expect(await team.listUsers()).toEqual([]);
  await team.delete();
  expect(await app.getTeam(team.id)).toBeNull();
  expect(await app.getTeam('no id at all')).toBeNull();
});

describe('an owner', () => {
  test('an owner creates projects, and each has an app without keys', async ({ server }) => {
    const { owner, project } = await createOwnedProject(server);
    expect(project).toMatchObject({ displayName: 'Shop', description: 'Sells', isProductionMode: false });
    const listed = await owner.listOwnedProjects();
    expect(listed.find(({ id }) => id === project.id)?.app).toBe(project.app);
    const user = await project.app.createUser({ displayName: 'First customer' });
    expect((await project.app.listUsers()).map(({ id }) => id)).toEqual([user.id]);
    await project.delete();
    expect((await owner.listOwnedProjects()).map(({ id }) => id)).not.toContain(project.id);
  });

  test('an owner configures a project, and a client sees the public part', async ({ server }) => {
    const { project } = await createOwnedProject(server);
    await project.update({
      displayName: 'New shop',
      config: {
        magicLinkEnabled: true,
        domains: [{ domain: 'https://shop.example', handlerPath: '/handler' }],
        oauthProviders: [
          { id: 'github', type: 'standard', clientId: 'ci', clientSecret: 'cs' },
          { id: 'google', type: 'shared' },
        ],
        emailConfig: {
          type: 'standard',
          host: 'smtp.example',
          port: 587,
          username: 'u',
          password: 'p',
          senderName: 'Shop',
          senderEmail: 's@example.com',
        },
      },
    });
    const changed = await project.app.getProject();
    expect(changed).toMatchObject({
      displayName: 'New shop',
      config: {
        magicLinkEnabled: true,
        credentialEnabled: true,
        domains: [{ domain: 'https://shop.example', handlerPath: '/handler' }],
        oauthProviders: [
          { id: 'github', type: 'standard', clientId: 'ci', clientSecret: 'cs' },
          { id: 'google', type: 'shared' },
        ],
        emailConfig: { type: 'standard', host: 'smtp.example', senderEmail: 's@example.com' },
      },
    });
    expect(await changed.getProductionModeErrors()).toHaveLength(1);
    const keys = await project.app.createInternalApiKey({
      description: 'demo',
      expiresAt: new Date('2099-01-01'),
      hasPublishableClientKey: true,
      hasSecretServerKey: false,
      hasSuperSecretAdminKey: false,
    });
    const client = new ClientApp({
      projectId: project.id,
      publishableClientKey: keys.publishableClientKey ?? '',
      baseUrl: server.url,
      tokenStore: 'memory',
    });
    expect(await client.getProject()).toMatchObject({
      displayName: 'New shop',
      config: { magicLinkEnabled: true, oauthProviders: [{ id: 'github' }, { id: 'google' }] },
    });
    const [listed] = await project.app.listInternalApiKeys();
    expect(listed).toMatchObject({ description: 'demo', secretServerKey: null });
    expect(listed?.publishableClientKey?.lastFour).toBe(keys.publishableClientKey?.slice(-4));
    await listed?.revoke();
    expect((await project.app.listInternalApiKeys()).map(one => one.whyInvalid())).toEqual(['manually-revoked']);
  });

  test('an owner defines permissions', async ({ server }) => {
    const { app } = (await createOwnedProject(server)).project;
    await app.createTeamPermissionDefinition({ id: 'edit', description: 'May edit', containedPermissionIds: [] });
    await app.updateTeamPermissionDefinition('edit', { containedPermissionIds: ['$read_members'] });
    const definitions = await app.listTeamPermissionDefinitions();
    expect(definitions.find(({ id }) => id === 'edit')).toEqual({
      id: 'edit',
      description: 'May edit',
      containedPermissionIds: ['$read_members'],
    });
    await app.deleteTeamPermissionDefinition('edit');
    await app.createProjectPermissionDefinition({ id: 'beta', containedPermissionIds: [] });
    expect(await app.listProjectPermissionDefinitions()).toEqual([{ id: 'beta', containedPermissionIds: [] }]);
    await app.deleteProjectPermissionDefinition('beta');
    expect(await app.listProjectPermissionDefinitions()).toEqual([]);
  });

  test('an owner edits email templates, sends a test email and reads the email log', async ({ server }) => {
    const { project } = await createOwnedProject(server);
    const { app } = project;
    const emailConfig = {
      host: 'localhost',
      port: 9,
      username: 'u',
      password: 'p',
      senderName: 'Shop',
      senderEmail: 's@example.com',
    };
    await project.update({ config: { emailConfig: { type: 'standard', ...emailConfig } } });
    expect((await app.listEmailTemplates()).map(({ type, isDefault }) => [type, isDefault])).toEqual([
      ['email_verification', true],
      ['password_reset', true],
      ['magic_link', true],
      ['team_invitation', true],
      ['sign_in_invitation', true],
    ]);
    await app.updateEmailTemplate('magic_link', { subject: 'Your code for {{ projectDisplayName }}' });
    expect((await app.listEmailTemplates())[2]).toMatchObject({ isDefault: false });
    await app.resetEmailTemplate('magic_link');
    expect((await app.listEmailTemplates())[2]).toMatchObject({ isDefault: true });
    const tried = await app.sendTestEmail({ recipientEmail: 'a@example.com', emailConfig });
    expect(tried).toMatchObject({ status: 'error', error: { errorMessage: expect.any(String) } });

    await project.update({ config: { emailConfig: { type: 'shared' } } });
    const { email } = newPerson();
    await app.sendSignInInvitationEmail(email, page);
    await mailTo(server, email, /Shop/);
    await until('the email is in the log', async () =>
      (await app.listSentEmails()).some(({ recipient }) => recipient === email),
    );
  });
});
