import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { adminProjectJson } from '../../test/admin-json.ts';
import { openAdmin, serverUserJson } from '../../test/apps.ts';
import { readOfEntity } from '../../test/readers.ts';
import { levels, list, sent, success } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json } from '../../test/stub-server.ts';
import { productionModeErrors } from './production-mode.ts';
import { projectConfigFromWire, projectConfigToWire } from './project-config.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const projectRoute = '/api/v1/internal/projects/current';

describe('the project', () => {
  test('is read with all settings', async () => {
    const { app, server } = openAdmin({ [`GET ${projectRoute}`]: () => json(adminProjectJson) });
    expect(await soon(app.getProject())).toMatchObject({
      id: adminProjectJson.id,
      displayName: 'Shop',
      description: 'Sells',
      createdAt: new Date(5),
      isProductionMode: false,
      config: {
        signUpEnabled: true,
        allowTeamApiKeys: true,
        allowLocalhost: true,
        oauthAccountMergeStrategy: 'link_method',
        emailTheme: 'default-light',
        domains: [{ domain: 'https://shop.example', handlerPath: '/handler' }],
        oauthProviders: [
          { id: 'github', type: 'standard', clientId: 'ci', clientSecret: 'cs' },
          { id: 'google', type: 'shared' },
          { id: 'microsoft', type: 'standard', microsoftTenantId: 'tenant' },
        ],
        emailConfig: { type: 'standard', host: 'smtp.example', port: 587, senderName: 'Shop' },
        teamCreatorDefaultPermissions: [{ id: 'team_admin' }],
      },
    });
    expect(levels(server)).toEqual(['admin']);
    expect(server.seen[0]?.headers.get('x-stack-super-secret-admin-key')).toBe('sak');
  });

  test('settings survive the conversion to JSON and back', () => {
    const { enabled_oauth_providers: _, ...written } = adminProjectJson.config;
    const config = projectConfigFromWire(structuredClone(adminProjectJson.config) as never);
    expect(JSON.parse(JSON.stringify(projectConfigToWire(config)))).toEqual(written);
    expect(JSON.stringify(projectConfigToWire({ emailConfig: { type: 'shared' }, oauthProviders: [] }))).toBe(
      '{"oauth_providers":[],"email_config":{"type":"shared"}}',
    );
  });

  test('is updated and deleted, and listeners see the change', async () => {
    const { app, server } = openAdmin({
      [`GET ${projectRoute}`]: () => json(adminProjectJson),
      [`PATCH ${projectRoute}`]: () => json(adminProjectJson),
      [`DELETE ${projectRoute}`]: success,
    });
    const reader = app[internals].reads.getProject.reader();
    reader.subscribe(() => {});
    const project = await soon(app.getProject());
    server.routes[`GET ${projectRoute}`] = () => json({ ...adminProjectJson, display_name: 'New' });
    await soon(project.update({ displayName: 'New', description: null, config: { magicLinkEnabled: true } }));
    expect(reader.peek()).toMatchObject({ data: { displayName: 'New' } });
    await soon(project.delete());
    expect(sent(server).filter(request => !request.startsWith('GET'))).toEqual([
      'PATCH /internal/projects/current {"display_name":"New","description":null,"config":{"magic_link_enabled":true}}',
      'DELETE /internal/projects/current',
    ]);
  });

  test('stays readable for its listeners after it is deleted', async () => {
    const { app, server } = openAdmin({
      [`GET ${projectRoute}`]: () => json(adminProjectJson),
      [`DELETE ${projectRoute}`]: success,
    });
    const reader = app[internals].reads.getProject.reader();
    reader.subscribe(() => {});
    const project = await soon(app.getProject());
    server.seen.length = 0;
    await soon(project.delete());
    expect(sent(server)).toEqual(['DELETE /internal/projects/current']);
    expect(reader.peek()).toMatchObject({ status: 'ok' });
  });

  test('lists the findings against production mode', async () => {
    const { app } = openAdmin({ [`GET ${projectRoute}`]: () => json(adminProjectJson) });
    const project = await soon(app.getProject());
    expect(await project.getProductionModeErrors()).toEqual([
      {
        message: `Localhost is not allowed in production mode, turn off 'Allow localhost' in project settings`,
        relativeFixUrl: `/projects/${project.id}/domains`,
      },
    ]);
  });

  test.each([
    ['https://shop.example', undefined],
    ['no url', 'Trusted domain is not a valid URL: no url'],
    [
      'http://localhost:3000',
      'Localhost domains are not allowed to be trusted in production mode: http://localhost:3000',
    ],
    ['https://a.localhost', 'Localhost domains are not allowed to be trusted in production mode: https://a.localhost'],
    ['https://127.1.2.3', 'Localhost domains are not allowed to be trusted in production mode: https://127.1.2.3'],
    ['http://10.0.0.1', 'Direct IPs are not valid for trusted domains in production mode: http://10.0.0.1'],
    ['http://shop.example', 'Trusted domains should be HTTPS: http://shop.example'],
  ])('the error of domain %s in production mode is: %s', (domain, message) => {
    const errors = productionModeErrors({ id: 'p', config: { allowLocalhost: false, domains: [{ domain }] } });
    expect(errors.map(error => error.message)).toEqual(message === undefined ? [] : [message]);
  });
});

describe('internal API key sets', () => {
  const set = { id: 'k1', description: 'demo', expires_at_millis: 4_000_000_000_000, created_at_millis: 5 };
  const masked = { publishable_client_key: { last_four: 'aaaa' }, secret_server_key: { last_four: 'bbbb' } };

  test('are created, shown once, listed and revoked', async () => {
    const { app, server } = openAdmin({
      'POST /api/v1/internal/api-keys': () => json({ ...set, publishable_client_key: 'pck_1' }),
      'GET /api/v1/internal/api-keys': () => list({ ...set, ...masked }),
      'PATCH /api/v1/internal/api-keys/k1': () => json({ ...set, ...masked }),
    });
    const created = await soon(
      app.createInternalApiKey({
        description: 'demo',
        expiresAt: new Date(4_000_000_000_000),
        hasPublishableClientKey: true,
        hasSecretServerKey: false,
        hasSuperSecretAdminKey: false,
      }),
    );
    expect(created.publishableClientKey).toBe('pck_1');
    expect(created.secretServerKey).toBeUndefined();
    const [first] = await soon(app.listInternalApiKeys());
    expect(first).toMatchObject({
      publishableClientKey: { lastFour: 'aaaa' },
      secretServerKey: { lastFour: 'bbbb' },
      superSecretAdminKey: null,
      manuallyRevokedAt: null,
      createdAt: new Date(5),
    });
    await soon(first?.revoke() ?? Promise.reject());
    expect(sent(server)).toEqual([
      'POST /internal/api-keys {"description":"demo","expires_at_millis":4000000000000,"has_publishable_client_key":true,"has_secret_server_key":false,"has_super_secret_admin_key":false}',
      'GET /internal/api-keys',
      'PATCH /internal/api-keys/k1 {"revoked":true}',
    ]);
  });

  test.each([
    [{}, null],
    [{ manually_revoked_at_millis: 1 }, 'manually-revoked'],
    [{ expires_at_millis: 1 }, 'expired'],
    [{ expires_at_millis: 1, manually_revoked_at_millis: 1 }, 'expired'],
  ])('%j: why it is not valid is %s', async (more, why) => {
    const { app } = openAdmin({ 'GET /api/v1/internal/api-keys': () => list({ ...set, ...more }) });
    const [first] = await soon(app.listInternalApiKeys());
    expect(first?.whyInvalid()).toBe(why);
    expect(first?.isValid()).toBe(why === null);
  });
});

describe.each(['team', 'project'] as const)('permissions of the scope %s', scope => {
  const path = `/${scope}-permission-definitions`;
  const definition = { id: 'edit', description: 'May edit', contained_permission_ids: ['read'] };

  test('are defined, listed, updated and deleted', async () => {
    const { app, server } = openAdmin({
      [`GET /api/v1${path}`]: () =>
        json({ items: [definition, { id: 'read', contained_permission_ids: [] }], is_paginated: false }),
      [`POST /api/v1${path}`]: () => json(definition),
      [`PATCH /api/v1${path}/edit`]: () => json(definition),
      [`DELETE /api/v1${path}/edit`]: success,
    });
    const methods = {
      team: {
        list: app.listTeamPermissionDefinitions,
        create: app.createTeamPermissionDefinition,
        update: app.updateTeamPermissionDefinition,
        delete: app.deleteTeamPermissionDefinition,
      },
      project: {
        list: app.listProjectPermissionDefinitions,
        create: app.createProjectPermissionDefinition,
        update: app.updateProjectPermissionDefinition,
        delete: app.deleteProjectPermissionDefinition,
      },
    }[scope];
    expect(await soon(methods.list())).toEqual([
      { id: 'edit', description: 'May edit', containedPermissionIds: ['read'] },
      { id: 'read', containedPermissionIds: [] },
    ]);
    const options = { id: 'edit', description: 'May edit', containedPermissionIds: ['read'] };
    expect(await soon(methods.create({ ...options, isDefaultUserPermission: true }))).toMatchObject({ id: 'edit' });
    await soon(methods.update('edit', { containedPermissionIds: [] }));
    await soon(methods.delete('edit'));
    expect(sent(server)).toEqual([
      `GET ${path}`,
      `POST ${path} {"id":"edit","description":"May edit","contained_permission_ids":["read"]}`,
      `PATCH ${path}/edit {"contained_permission_ids":[]}`,
      `DELETE ${path}/edit`,
    ]);
  });
});

describe('a change of a permission definition', () => {
  const id = serverUserJson.id;

  test.each(['team', 'project'] as const)('of scope %s reaches the watched permissions of users', async scope => {
    let contained = ['read'];
    const path = `/api/v1/${scope}-permission-definitions/edit`;
    const { app } = openAdmin({
      [`GET /api/v1/users/${id}`]: () => json(serverUserJson),
      [`GET /api/v1/${scope}-permissions`]: () => list({ id: 'edit' }, ...contained.map(id => ({ id }))),
      [`PATCH ${path}`]: () => json({ id: 'edit', contained_permission_ids: [] }),
    });
    const user = await soon(app.getUser(id));
    const team = scope === 'team' ? [{ id: 't1' }] : [];
    const reader = readOfEntity(user ?? {}, 'listPermissions').reader(...team);
    reader.subscribe(() => {});
    await soon(reader.promise());
    contained = [];
    const update = scope === 'team' ? app.updateTeamPermissionDefinition : app.updateProjectPermissionDefinition;
    await soon(update('edit', { containedPermissionIds: [] }));
    expect(reader.peek()).toMatchObject({ data: [{ id: 'edit' }] });
  });

  test('that deletes it reaches the watched settings of the project, which list it', async () => {
    const settings = (ids: string[]) => ({
      ...adminProjectJson,
      config: { ...adminProjectJson.config, team_creator_default_permissions: ids.map(id => ({ id })) },
    });
    const { app, server } = openAdmin({
      [`GET ${projectRoute}`]: () => json(settings(['edit'])),
      'DELETE /api/v1/team-permission-definitions/edit': success,
    });
    const reader = app[internals].reads.getProject.reader();
    reader.subscribe(() => {});
    await soon(app.getProject());
    server.routes[`GET ${projectRoute}`] = () => json(settings([]));
    await soon(app.deleteTeamPermissionDefinition('edit'));
    expect(reader.peek()).toMatchObject({ data: { config: { teamCreatorDefaultPermissions: [] } } });
  });
});

describe('email templates', () => {
  const template = { type: 'magic_link', subject: 'Sign in', content: { root: {} }, is_default: true };

  test('are changed and reset to the defaults', async () => {
    const { app, server } = openAdmin({
      'GET /api/v1/email-templates': () => list(template),
      'PATCH /api/v1/email-templates/magic_link': () => json(template),
      'DELETE /api/v1/email-templates/magic_link': success,
    });
    expect(await soon(app.listEmailTemplates())).toEqual([
      { type: 'magic_link', subject: 'Sign in', content: { root: {} }, isDefault: true },
    ]);
    await soon(app.updateEmailTemplate('magic_link', { subject: 'Hello' }));
    await soon(app.resetEmailTemplate('magic_link'));
    expect(sent(server).slice(1)).toEqual([
      'PATCH /email-templates/magic_link {"subject":"Hello"}',
      'DELETE /email-templates/magic_link',
    ]);
  });

  test('a test email checks an SMTP server', async () => {
    const route = 'POST /api/v1/internal/send-test-email';
    const { app, server } = openAdmin({ [route]: success });
    const emailConfig = {
      host: 'h',
      port: 25,
      username: 'u',
      password: 'p',
      senderName: 'S',
      senderEmail: 's@example.com',
    };
    const send = () => app.sendTestEmail({ recipientEmail: 'a@example.com', emailConfig });
    expect(await soon(send())).toEqual({ status: 'ok', data: undefined });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      recipient_email: 'a@example.com',
      email_config: {
        host: 'h',
        port: 25,
        username: 'u',
        password: 'p',
        sender_name: 'S',
        sender_email: 's@example.com',
      },
    });
    server.routes[route] = () => json({ success: false, error_message: 'no such host' });
    expect(await soon(send())).toEqual({ status: 'error', error: { errorMessage: 'no such host' } });
  });

  test('sign-in invitations are sent, and the email log is read', async () => {
    const { app, server } = openAdmin({
      'POST /api/v1/internal/send-sign-in-invitation': success,
      'GET /api/v1/internal/emails': () =>
        list(
          { id: 'e1', subject: 'Hi', to: ['a@example.com', 'b@example.com'], sent_at_millis: 5, error: null },
          { id: 'e2', subject: 'Hi', to: [], sent_at_millis: 6, error: { errorType: 'REJECTED' } },
        ),
    });
    await soon(app.sendSignInInvitationEmail('a@example.com', 'https://shop.example'));
    expect(sent(server)).toEqual([
      'POST /internal/send-sign-in-invitation {"email":"a@example.com","callback_url":"https://shop.example"}',
    ]);
    expect(await soon(app.listSentEmails())).toEqual([
      {
        id: 'e1',
        subject: 'Hi',
        to: ['a@example.com', 'b@example.com'],
        recipient: 'a@example.com',
        sentAt: new Date(5),
      },
      { id: 'e2', subject: 'Hi', to: [], recipient: '', sentAt: new Date(6), error: { errorType: 'REJECTED' } },
    ]);
  });
});

test('the metrics are read', async () => {
  const day = { date: '2026-07-31', activity: 2 };
  const { app } = openAdmin({
    'GET /api/v1/internal/metrics': () =>
      json({
        total_users: 3,
        daily_users: [day],
        daily_active_users: [day],
        users_by_country: { FR: 1 },
        recently_registered: [serverUserJson],
        recently_active: [],
        login_methods: [{ method: 'password', count: 3 }],
      }),
  });
  expect(await soon(app.getMetrics())).toMatchObject({
    totalUsers: 3,
    dailyUsers: [day],
    dailyActiveUsers: [day],
    usersByCountry: { FR: 1 },
    recentlyRegistered: [{ id: serverUserJson.id, lastActiveAt: expect.any(Date) }],
    recentlyActive: [],
    loginMethods: [{ method: 'password', count: 3 }],
  });
});

test('hooks read previews and tokens for webhooks', async () => {
  const { app, server } = openAdmin({
    'POST /api/v1/emails/render-email': () => json({ html: '<html>' }),
    'POST /api/v1/webhooks/svix-token': () => json({ token: 'svix' }),
  });
  const { getEmailThemePreview, getSvixToken } = app[internals].hookReads;
  expect(await soon(getEmailThemePreview.reader('default-dark', '<p>').refresh())).toMatchObject({ data: '<html>' });
  expect(await soon(getSvixToken.reader().refresh())).toMatchObject({ data: 'svix' });
  expect(sent(server)).toEqual([
    'POST /emails/render-email {"theme":"default-dark","preview_html":"<p>"}',
    'POST /webhooks/svix-token {}',
  ]);
});
