import { permissionIdsMax, projectDomainsMax, projectProvidersMax } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { anId, outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let beside: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  beside = await openTestServer({ beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  project = await server.make.project();
});

const route = 'PATCH /internal/projects/current';
const update = (body: unknown, options: CallOptions = {}, at = server) =>
  at.call(route, { project, level: 'admin', body, ...options });
const configure = (config: unknown) => update({ config });
const readAdmin = async () =>
  (await server.call('GET /internal/projects/current', { project, level: 'admin' })).json as {
    display_name: string;
    config: Record<string, unknown>;
  };

describe('PATCH /internal/projects/current', () => {
  test('changes the named settings and keeps all others', async () => {
    const before = await readAdmin();
    const answer = await update({ display_name: '', description: 'New', config: { magic_link_enabled: true } });
    const after = {
      ...before,
      display_name: '',
      description: 'New',
      config: { ...before.config, magic_link_enabled: true },
    };
    expect(outcome(answer)).toEqual({ status: 200, body: after });
    expect(await readAdmin()).toEqual(after);
    expect(outcome(await update({}))).toEqual({ status: 200, body: after });
    expect(outcome(await update({ description: null, config: {} }))).toEqual({
      status: 200,
      body: { ...after, description: '' },
    });
  });

  test('takes the configuration that it answered, after a permission of a default set was renamed', async () => {
    await server.call('PATCH /team-permission-definitions/{id}', {
      project,
      level: 'admin',
      params: { id: 'team_member' },
      body: { id: 'renamed' },
    });
    const { config } = await readAdmin();
    expect(config.team_member_default_permissions).toEqual([{ id: 'team_member' }]);
    const same = { team_member_default_permissions: config.team_member_default_permissions };
    expect((await configure({ ...same, passkey_enabled: true })).status).toBe(200);
    const elsewhere = { team_creator_default_permissions: config.team_member_default_permissions };
    expect(outcome(await configure(elsewhere))).toMatchObject({ status: 404, code: 'PERMISSION_NOT_FOUND' });
  });

  test('keeps allow_localhost false when another setting changes', async () => {
    await configure({ allow_localhost: false });
    await update({ display_name: 'Another' });
    await configure({ passkey_enabled: true });
    expect((await readAdmin()).config.allow_localhost).toBe(false);
  });

  test('replaces lists and objects as a whole', async () => {
    const standard = {
      type: 'standard',
      host: 'h',
      port: '587',
      username: 'u',
      password: 'p',
      sender_name: 'n',
      sender_email: 'a@b',
    };
    await configure({
      domains: [{ domain: 'https://a.example', handler_path: '/handler' }],
      oauth_providers: [{ id: 'github', type: 'shared' }],
      email_config: standard,
    });
    expect((await readAdmin()).config.email_config).toEqual({ ...standard, port: 587 });
    await configure({
      domains: [{ domain: 'https://b.example', handler_path: '/h' }],
      oauth_providers: [],
      email_config: { ...standard, type: 'shared' },
    });
    expect((await readAdmin()).config).toMatchObject({
      domains: [{ domain: 'https://b.example', handler_path: '/h' }],
      oauth_providers: [],
      enabled_oauth_providers: [],
      email_config: { type: 'shared' },
    });
    expect((await readAdmin()).config.email_config).toEqual({ type: 'shared' });
  });

  test('keeps the last of several providers with one id, and returns the fields that were sent for a shared provider', async () => {
    await configure({
      oauth_providers: [
        { id: 'google', type: 'standard', client_id: 'c', client_secret: 's' },
        { id: 'google', type: 'shared', client_id: 'x', client_secret: '', microsoft_tenant_id: 't' },
      ],
    });
    expect((await readAdmin()).config.oauth_providers).toEqual([
      { id: 'google', type: 'shared', client_id: 'x', client_secret: '', microsoft_tenant_id: 't' },
    ]);
  });

  test('accepts domains with plain http, wildcards and duplicates', async () => {
    const domains = ['http://127.0.0.1:3000/app', 'https://*.example.com', 'https://*.example.com'].map(domain => ({
      domain,
      handler_path: '/handler',
    }));
    await configure({ domains });
    expect((await readAdmin()).config.domains).toEqual(domains);
  });

  test('lists domains in the order of permission ids', async () => {
    const domains = (names: readonly string[]) => names.map(domain => ({ domain, handler_path: '/handler' }));
    await configure({ domains: domains(['https://ab.org', 'https://Z.org', 'https://a_b.org', 'https://a.org']) });
    const sorted = domains(['https://a.org', 'https://ab.org', 'https://a_b.org', 'https://Z.org']);
    expect((await readAdmin()).config.domains).toEqual(sorted);
  });

  test('accepts 1,000 domains, 100 providers and 1,000 default permissions, and refuses more', async () => {
    const domains = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ domain: `https://${index}.example`, handler_path: '/handler' }));
    const providers = (count: number) => Array<object>(count).fill({ id: 'github', type: 'shared' });
    const permissions = (count: number) => Array<object>(count).fill({ id: 'team_member' });
    await configure({
      domains: domains(projectDomainsMax),
      oauth_providers: providers(projectProvidersMax),
      team_member_default_permissions: permissions(permissionIdsMax),
    });
    const { config } = await readAdmin();
    expect(config.domains).toHaveLength(1_000);
    expect(config.oauth_providers).toEqual(providers(1));
    for (const tooMany of [
      { domains: domains(projectDomainsMax + 1) },
      { domains: domains(10).map(({ domain }) => ({ domain, handler_path: `/${'x'.repeat(10_000)}` })) },
      { oauth_providers: providers(projectProvidersMax + 1) },
      { team_creator_default_permissions: permissions(permissionIdsMax + 1) },
      { team_member_default_permissions: permissions(permissionIdsMax + 1) },
      { user_default_permissions: permissions(permissionIdsMax + 1) },
    ]) {
      expect(outcome(await update({ config: tooMany }))).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    }
    expect((await readAdmin()).config).toEqual(config);
  });

  test('stores production mode independently of the domains', async () => {
    expect((await update({ is_production_mode: true })).json).toMatchObject({ is_production_mode: true });
    expect((await update({ is_production_mode: false })).json).toMatchObject({ is_production_mode: false });
  });

  test('control 101: concurrent changes of different settings are all applied', async () => {
    const switches = ['magic_link_enabled', 'passkey_enabled', 'allow_user_api_keys', 'allow_team_api_keys'];
    await Promise.all(
      switches.map((name, index) => update({ config: { [name]: true } }, {}, [server, beside][index % 2])),
    );
    expect((await readAdmin()).config).toMatchObject(Object.fromEntries(switches.map(name => [name, true])));
  });
});

const pem = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n';

function appleWith(key: object) {
  return { id: 'apple', type: 'standard', client_id: 'c', client_secret: JSON.stringify(key) };
}

describe('an invalid change is refused, and changes nothing', () => {
  const standardEmail = { type: 'standard', host: 'h', port: 1, username: 'u', password: 'p', sender_name: 'n' };
  test.each<[string, unknown, string[]]>([
    ['an unknown key', { name: 'x' }, ['body contains unknown properties: name']],
    ['an unknown setting', { config: { legacy: true } }, ['body.config contains unknown properties: legacy']],
    [
      'a derived setting',
      { config: { enabled_oauth_providers: [] } },
      ['body.config contains unknown properties: enabled_oauth_providers'],
    ],
    ['null for a name', { display_name: null }, ['body.display_name cannot be null']],
    ['null for the configuration', { config: null }, ['body.config cannot be null']],
    ['null for a switch', { config: { passkey_enabled: null } }, ['body.config.passkey_enabled cannot be null']],
    [
      'a theme that does not exist',
      { config: { email_theme: 'blue' } },
      ['body.config.email_theme must be one of the following values: default-light, default-dark'],
    ],
    [
      'a provider that does not exist',
      { config: { oauth_providers: [{ id: 'myspace', type: 'shared' }] } },
      ['body.config.oauth_providers[0].id must be one of'],
    ],
    [
      'an empty secret',
      { config: { oauth_providers: [{ id: 'github', type: 'standard', client_id: 'c', client_secret: '' }] } },
      ['body.config.oauth_providers[0].client_secret must not be empty'],
    ],
    [
      'a secret of Apple that is neither a JWT nor JSON',
      { config: { oauth_providers: [{ id: 'apple', type: 'standard', client_id: 'c', client_secret: '{x' }] } },
      ['body.config.oauth_providers[0].client_secret must be a JWT or a key: it begins with { and is not JSON'],
    ],
    [
      'a key of Apple without its id',
      { config: { oauth_providers: [appleWith({ team_id: 'TEAM012345', private_key: pem })] } },
      ['body.config.oauth_providers[0].client_secret must be a JWT or a key: key_id'],
    ],
    [
      'a key of Apple that is no PEM',
      { config: { oauth_providers: [appleWith({ team_id: 'TEAM012345', key_id: 'KEY0123456', private_key: 'x' })] } },
      ['body.config.oauth_providers[0].client_secret must be a JWT or a key: private_key must be the text of the file'],
    ],
    [
      'a provider without keys, beside an unknown key',
      { config: { oauth_providers: [{ id: 'github', type: 'standard', secret: 'x' }] } },
      [
        'body.config.oauth_providers[0] contains unknown properties: secret',
        'body.config.oauth_providers[0].client_id must be defined',
        'body.config.oauth_providers[0].client_secret must be defined',
      ],
    ],
    [
      'a mail server without any field',
      { config: { email_config: { type: 'standard' } } },
      ['host', 'port', 'username', 'password', 'sender_name', 'sender_email'].map(
        name => `body.config.email_config.${name} must be defined`,
      ),
    ],
    [
      'an unknown key of a shared mail server',
      { config: { email_config: { type: 'shared', hostname: 'h' } } },
      ['body.config.email_config contains unknown properties: hostname'],
    ],
    [
      'a port above 65535',
      { config: { email_config: { ...standardEmail, sender_email: 'a@b', port: 65_536 } } },
      ['body.config.email_config.port must be less than or equal to 65535'],
    ],
    [
      'a mail server password that is too long',
      { config: { email_config: { ...standardEmail, sender_email: 'a@b', password: 'x'.repeat(71) } } },
      ['body.config.email_config.password must be at most 70 characters'],
    ],
    [
      'a malformed email address',
      { config: { email_config: { ...standardEmail, sender_email: 'no-address' } } },
      ['body.config.email_config.sender_email must be a valid email'],
    ],
    [
      'a domain of another scheme',
      { config: { domains: [{ domain: 'ftp://example.com', handler_path: '/' }] } },
      ['body.config.domains[0].domain must start with http:// or https://'],
    ],
    [
      'a domain with a blank',
      { config: { domains: [{ domain: 'https://example.com/a b', handler_path: '/' }] } },
      ['body.config.domains[0].domain contains spaces'],
    ],
    [
      'a malformed domain',
      { config: { domains: [{ domain: 'example.com', handler_path: 'handler' }] } },
      [
        'body.config.domains[0].domain is not a valid URL',
        'body.config.domains[0].domain must start with http:// or https://',
        'body.config.domains[0].handler_path must start with /',
      ],
    ],
    [
      'a domain without a handler path',
      { config: { domains: [{ domain: 'https://example.com' }] } },
      ['body.config.domains[0].handler_path must be defined'],
    ],
    [
      'a permission with more than an id',
      { config: { user_default_permissions: [{ id: 'a', scope: 'project' }] } },
      ['body.config.user_default_permissions[0] contains unknown properties: scope'],
    ],
  ])('%s', async (_, body, violations) => {
    const before = await readAdmin();
    const { json, ...answer } = await update(body);
    expect(outcome({ ...answer, json })).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
    const { error } = json as { error: string };
    for (const violation of violations) expect(error).toContain(`- ${violation}`);
    expect(error.split('\n')).toHaveLength(violations.length + 1);
    expect(await readAdmin()).toEqual(before);
  });

  test('an unknown query key', async () => {
    expect(outcome(await update({}, { query: { force: '1' } }))).toMatchObject({ code: 'SCHEMA_ERROR' });
  });
});

describe('default permissions in an update', () => {
  const define = (scope: 'team' | 'project', id: string) =>
    server.call(`POST /${scope}-permission-definitions`, { project, level: 'admin', body: { id } });
  const unknown = (permission_id: string) => ({
    status: 404,
    code: 'PERMISSION_NOT_FOUND',
    details: { permission_id },
  });
  const wrongScope = (permission_id: string, expected_scope: string, actual_scope: string) => ({
    status: 404,
    code: 'WRONG_PERMISSION_SCOPE',
    details: { permission_id, expected_scope, actual_scope },
  });

  test('are accepted when they are defined, in either scope, and returned sorted and without duplicates', async () => {
    await define('team', 'zoo:visit');
    await define('project', 'beta');
    const config = {
      team_creator_default_permissions: [{ id: 'zoo:visit' }, { id: 'team_admin' }, { id: 'zoo:visit' }],
      team_member_default_permissions: [{ id: '$read_members' }],
      user_default_permissions: [{ id: 'beta' }],
    };
    await configure(config);
    expect((await readAdmin()).config).toMatchObject({
      ...config,
      team_creator_default_permissions: [{ id: 'team_admin' }, { id: 'zoo:visit' }],
    });
  });

  test('are refused when they are not defined', async () => {
    await define('team', 'moderate');
    await define('project', 'beta');
    const results = [
      await configure({ team_creator_default_permissions: [{ id: 'nothing' }] }),
      await configure({ team_member_default_permissions: [{ id: 'Not An Id' }] }),
      await configure({ team_member_default_permissions: [{ id: 'beta' }] }),
      await configure({ user_default_permissions: [{ id: 'moderate' }] }),
      await configure({ user_default_permissions: [{ id: '$read_members' }] }),
    ];
    expect(results.map(outcome)).toEqual([
      unknown('nothing'),
      unknown('Not An Id'),
      wrongScope('beta', 'team', 'project'),
      wrongScope('moderate', 'project', 'team'),
      unknown('$read_members'),
    ]);
  });

  test('control 101: a permission that is deleted concurrently is in no default set afterwards', async () => {
    for (let round = 0; round < 5; round++) {
      await define('project', 'beta');
      const params = { id: 'beta' };
      await Promise.all([
        configure({ user_default_permissions: [{ id: 'beta' }] }),
        server.call('DELETE /project-permission-definitions/{id}', { project, level: 'admin', params }),
      ]);
      expect((await readAdmin()).config.user_default_permissions).toEqual([]);
    }
  });
});

describe('a change of the settings', () => {
  const isOn = async (at: TestServer) =>
    ((await at.call('GET /projects/current', { project })).json as { config: { passkey_enabled: boolean } }).config
      .passkey_enabled;

  test('takes effect with the response on the process that applied it', async () => {
    for (const passkey_enabled of [true, false, true, false]) {
      expect(await isOn(server)).toBe(!passkey_enabled);
      await configure({ passkey_enabled });
      expect(await isOn(server)).toBe(passkey_enabled);
    }
  });

  test('takes effect within a second on every other process', async () => {
    expect(await isOn(beside)).toBe(false);
    await configure({ passkey_enabled: true });
    await expect.poll(() => isOn(beside), { interval: 5 }).toBe(true);
  });

  test('does not take effect when it is refused', async () => {
    await update({ config: { passkey_enabled: true, user_default_permissions: [{ id: 'nothing' }] } });
    expect(await isOn(server)).toBe(false);
  });
});

describe('control 97: the audit log of a change', () => {
  const logged = () =>
    server.deps.db.query(sql`
      select action, actor_type as "actorType", actor_id as "actorId", before, after, at_millis as "atMillis"
      from audit_events where project_id = ${project.id} and action = 'project.config_changed' order by at_millis, id
    `);

  test('records the actor and the changed settings with old and new values', async () => {
    await update({ display_name: 'New name', config: { magic_link_enabled: true, passkey_enabled: false } });
    expect(await logged()).toEqual([
      {
        action: 'project.config_changed',
        actorType: 'admin_key',
        actorId: anId,
        before: { display_name: 'A project', magic_link_enabled: false },
        after: { display_name: 'New name', magic_link_enabled: true },
        atMillis: server.clock.now(),
      },
    ]);
  });

  test('records the id of the owner', async () => {
    const { userId, accessToken } = await server.make.user();
    const body = { server_metadata: { managedProjectIds: [project.id] } };
    await server.call('PATCH /users/me', { level: 'server', accessToken, body });
    const headers = {
      'x-stack-access-type': 'admin',
      'x-stack-project-id': project.id,
      'x-stack-admin-access-token': accessToken,
    };
    await server.call(route, { level: null, headers, body: { description: 'x' } });
    expect(await logged()).toMatchObject([{ actorType: 'owner', actorId: userId, after: { description: 'x' } }]);
  });

  test('contains a placeholder for each secret', async () => {
    const oauth_providers = [{ id: 'github', type: 'standard', client_id: 'c', client_secret: 'top secret' }];
    await configure({ oauth_providers });
    expect(await logged()).toMatchObject([
      {
        before: { oauth_providers: [] },
        after: { oauth_providers: [{ id: 'github', type: 'standard', client_id: 'c', client_secret: '[hidden]' }] },
      },
    ]);
  });

  test('has no entry when nothing changed', async () => {
    await update({ display_name: 'A project', config: { magic_link_enabled: false } });
    expect(await logged()).toEqual([]);
  });
});
