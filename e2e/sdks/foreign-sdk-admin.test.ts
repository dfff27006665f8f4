import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CurrentInternalUser, StackAdminApp, StackClientApp, StackServerApp } from '@stackframe/js';
import { describe, expect } from 'vitest';
import { newPerson } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

type NewProject = Parameters<CurrentInternalUser['createProject']>[0];

const common = { tokenStore: 'memory', redirectMethod: 'none', noAutomaticPrefetch: true } as const;
const verificationCallbackUrl = 'http://localhost:3000/verify';
const farFuture = new Date('2099-01-01');

/** Signs up an owner in the project `internal` with the unchanged SDK of the hosted service. */
async function owner({ url, dataDir }: TesseraServer) {
  const { projects } = JSON.parse(await readFile(join(dataDir, 'keys.json'), 'utf8'));
  const { publishableClientKey } = projects.internal;
  const app = new StackClientApp<string, true, 'internal'>({
    ...common,
    projectId: 'internal',
    publishableClientKey,
    baseUrl: url,
  });
  await app.signUpWithCredential({ ...newPerson(), verificationCallbackUrl, noRedirect: true });
  return app.getUser({ or: 'throw' });
}

/** An owner creates a project with the SDK. In the July 2025 contract no team owns projects. */
async function newProject(server: TesseraServer, fields: Partial<NewProject> = {}) {
  const user = await owner(server);
  const project = await user.createProject({ displayName: 'Shop', ...fields } as NewProject);
  return { user, project };
}

/** Apps with the keys of a new project. */
async function keyedApps(server: TesseraServer, fields: Partial<NewProject> = {}) {
  const { user, project } = await newProject(server, fields);
  const keySet = await project.app.createInternalApiKey({
    description: 'For the app',
    expiresAt: farFuture,
    hasPublishableClientKey: true,
    hasSecretServerKey: true,
    hasSuperSecretAdminKey: true,
  });
  const { publishableClientKey = '', secretServerKey = '', superSecretAdminKey = '' } = keySet;
  const options = { ...common, projectId: project.id, publishableClientKey, baseUrl: server.url };
  return {
    user,
    project,
    keySet,
    client: new StackClientApp(options),
    server: new StackServerApp({ ...options, secretServerKey }),
    admin: new StackAdminApp({ ...options, secretServerKey, superSecretAdminKey }),
  };
}

describe('the admin SDK of the hosted service, for projects', () => {
  test('creates, lists and reads projects', async ({ server }) => {
    const { user, project } = await newProject(server, { description: 'Sells things' });
    expect(project).toMatchObject({ displayName: 'Shop', description: 'Sells things', isProductionMode: false });
    const second = await user.createProject({ displayName: 'Blog' } as NewProject);
    const listed = await user.listOwnedProjects();
    expect(listed.map(one => [one.id, one.displayName]).slice(-2)).toEqual([
      [project.id, 'Shop'],
      [second.id, 'Blog'],
    ]);
    expect(await second.app.getProject()).toMatchObject({ id: second.id, config: { credentialEnabled: true } });
  });

  test('changes the whole configuration and reads it back', async ({ server }) => {
    const { project } = await newProject(server);
    const config = {
      signUpEnabled: false,
      credentialEnabled: false,
      magicLinkEnabled: true,
      passkeyEnabled: true,
      clientTeamCreationEnabled: true,
      clientUserDeletionEnabled: true,
      allowLocalhost: false,
      allowUserApiKeys: true,
      allowTeamApiKeys: true,
      createTeamOnSignUp: true,
      oauthAccountMergeStrategy: 'allow_duplicates',
      oauthProviders: [
        { id: 'github', type: 'standard', clientId: 'an id', clientSecret: 'a secret' },
        { id: 'google', type: 'shared' },
      ],
      domains: [{ domain: 'https://shop.example', handlerPath: '/handler' }],
      emailConfig: {
        type: 'standard',
        host: 'smtp.example.com',
        port: 587,
        username: 'shop',
        password: 'a password',
        senderName: 'Shop',
        senderEmail: 'noreply@shop.example',
      },
      teamMemberDefaultPermissions: [{ id: '$read_members' }],
    } as const;
    await project.update({
      displayName: 'The shop',
      config: {
        ...config,
        oauthProviders: [...config.oauthProviders],
        domains: [...config.domains],
        teamMemberDefaultPermissions: [...config.teamMemberDefaultPermissions],
      },
    });
    expect(await project.app.getProject()).toMatchObject({ displayName: 'The shop', config });
  });

  test('lists the errors that block production mode', async ({ server }) => {
    const { project } = await newProject(server, {
      config: { allowLocalhost: true, domains: [{ domain: 'http://shop.example', handlerPath: '/' }] },
    });
    const problems = await project.getProductionModeErrors();
    expect(problems.map(({ relativeFixUrl }) => relativeFixUrl)).toEqual(
      Array.from({ length: 2 }, () => `/projects/${project.id}/domains`),
    );
  });

  test('deletes projects', async ({ server }) => {
    const { user, project, client } = await keyedApps(server);
    await project.delete();
    await expect(client.getProject()).rejects.toMatchObject({ errorCode: 'INVALID_PUBLISHABLE_CLIENT_KEY' });
    const again = await user.createProject({ displayName: 'After' } as NewProject);
    expect((await user.listOwnedProjects()).map(({ id }) => id)).not.toContain(project.id);
    expect((await user.listOwnedProjects()).map(({ id }) => id)).toContain(again.id);
  });
});

describe('the admin SDK of the hosted service, for key sets', () => {
  test('shows keys once, and later only their last four characters', async ({ server }) => {
    const { project, keySet, admin } = await keyedApps(server);
    expect(keySet.superSecretAdminKey).toMatch(/^sak_/);
    expect(await admin.listInternalApiKeys()).toMatchObject([
      { id: keySet.id, description: 'For the app', secretServerKey: { lastFour: keySet.secretServerKey?.slice(-4) } },
    ]);
    expect(await admin.getProject()).toMatchObject({ id: project.id });
  });

  test('revokes a key set immediately', async ({ server }) => {
    const { project, admin, server: app } = await keyedApps(server);
    expect(await app.listUsers()).toHaveLength(0);
    const [listed] = await project.app.listInternalApiKeys();
    await listed?.revoke();
    await expect(admin.listUsers()).rejects.toMatchObject({ errorCode: 'INVALID_SECRET_SERVER_KEY' });
    const [revoked] = await project.app.listInternalApiKeys();
    expect(revoked?.whyInvalid()).toBe('manually-revoked');
  });
});

describe('the admin SDK of the hosted service, for permissions', () => {
  test('defines, changes and deletes permissions in both scopes', async ({ server }) => {
    const { project } = await newProject(server);
    const { app } = project;
    await app.createTeamPermissionDefinition({ id: 'moderate', description: 'May', containedPermissionIds: [] });
    await app.updateTeamPermissionDefinition('moderate', { containedPermissionIds: ['$read_members'] });
    const ids = async () => (await app.listTeamPermissionDefinitions()).map(({ id }) => id);
    expect(await app.listTeamPermissionDefinitions()).toContainEqual(
      expect.objectContaining({ id: 'moderate', containedPermissionIds: ['$read_members'] }),
    );
    await app.deleteTeamPermissionDefinition('moderate');
    expect(await ids()).not.toContain('moderate');

    await app.createProjectPermissionDefinition({ id: 'beta', description: 'May', containedPermissionIds: [] });
    await project.update({ config: { userDefaultPermissions: [{ id: 'beta' }] } });
    expect((await app.listProjectPermissionDefinitions()).map(({ id }) => id)).toEqual(['beta']);
    const user = await app.createUser({ primaryEmail: newPerson().email });
    expect(await user.hasPermission('beta')).toBe(true);
  });

  test('gets an error for a default permission that does not exist', async ({ server }) => {
    const { project } = await newProject(server);
    const update = project.update({ config: { userDefaultPermissions: [{ id: 'nothing' }] } });
    await expect(update).rejects.toMatchObject({ errorCode: 'PERMISSION_NOT_FOUND' });
  });
});

describe('a changed setting is in effect with the response', () => {
  test('the setting for sign-up is in effect at once', async ({ server }) => {
    const { project, client } = await keyedApps(server);
    const signUp = () => client.signUpWithCredential({ ...newPerson(), verificationCallbackUrl, noRedirect: true });
    expect(await signUp()).toMatchObject({ status: 'ok' });
    await project.update({ config: { signUpEnabled: false } });
    await expect(signUp()).rejects.toMatchObject({ errorCode: 'SIGN_UP_NOT_ENABLED' });
  });

  test('with user API keys switched on, keys are created, found and revoked', async ({ server }) => {
    const { project, client, server: app } = await keyedApps(server);
    await project.update({ config: { allowUserApiKeys: true } });
    await client.signUpWithCredential({ ...newPerson(), verificationCallbackUrl, noRedirect: true });
    const user = await client.getUser({ or: 'throw' });
    const key = await user.createApiKey({ description: 'ci', expiresAt: farFuture });
    expect(await app.getUser({ apiKey: key.value })).toMatchObject({ id: user.id });
    const [listed] = await user.listApiKeys();
    expect(listed).toMatchObject({ description: 'ci', value: { lastFour: key.value.slice(-4) } });
    await listed?.revoke();
    expect(await app.getUser({ apiKey: key.value })).toBeNull();
  });
});
