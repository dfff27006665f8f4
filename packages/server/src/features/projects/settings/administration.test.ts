import { randomUUID } from 'node:crypto';
import { rateLimits } from '@tessera/protocol';
import { type CallOptions, headersOf, type ProjectAccess } from '@tessera/testing/call';
import { anId, outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { allAtOnce } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';
import { plainPasswords } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let owner: SignedUp;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  // The first user of `internal` owns the installation; the user of these tests owns nothing yet.
  await server.make.user();
});
afterAll(() => server.close());

const created = z.object({ id: z.string() });

const config = {
  sign_up_enabled: true,
  credential_enabled: true,
  magic_link_enabled: false,
  passkey_enabled: false,
  client_team_creation_enabled: false,
  client_user_deletion_enabled: false,
  allow_localhost: true,
  allow_user_api_keys: false,
  allow_team_api_keys: false,
  oauth_account_merge_strategy: 'link_method',
  oauth_providers: [],
  enabled_oauth_providers: [],
  domains: [],
  email_config: { type: 'shared' },
  email_theme: 'default-light',
  create_team_on_sign_up: false,
  team_creator_default_permissions: [{ id: 'team_admin' }],
  team_member_default_permissions: [{ id: 'team_member' }],
  user_default_permissions: [],
};

const newProject = (id: unknown, fields: object = {}) => ({
  id,
  display_name: 'Acme',
  description: '',
  created_at_millis: server.clock.now(),
  is_production_mode: false,
  config,
  ...fields,
});

const create = (body: unknown, { accessToken }: { accessToken: string } = owner, options: CallOptions = {}) =>
  server.call('POST /internal/projects', { accessToken, body, ...options });
const list = ({ accessToken }: { accessToken: string } = owner, options: CallOptions = {}) =>
  server.call('GET /internal/projects', { accessToken, ...options });
const ownedBy = async ({ accessToken }: SignedUp) =>
  ((await server.call('GET /users/me', { level: 'server', accessToken })).json as { server_metadata: unknown })
    .server_metadata;

/** Calls with the session of an owner instead of keys. */
function asOwner(projectId: string, { accessToken }: SignedUp = owner): CallOptions {
  const headers = { 'x-stack-access-type': 'admin', 'x-stack-project-id': projectId };
  return { level: null, headers: { ...headers, 'x-stack-admin-access-token': accessToken } };
}

async function createdId(body: object = { display_name: 'Acme' }, by = owner): Promise<string> {
  return created.parse((await create(body, by)).json).id;
}

describe('POST /internal/projects', () => {
  test('returns the admin view of a new project with its defaults', async () => {
    owner = await server.make.user();
    expect(outcome(await create({ display_name: 'Acme' }))).toEqual({ status: 201, body: newProject(anId) });
  });

  test('is refused with 429 after 300 projects of an owner in an hour', async () => {
    const person = await server.make.user();
    const { points, windowMs } = rateLimits.projectCreationsPerUser;
    const key = `projectCreationsPerUser:internal:${person.userId}`;
    await server.deps.db.query(
      sql`insert into rate_limits (key, points, expire) values (${key}, ${points - 1}, ${Date.now() + windowMs})`,
    );
    expect((await create({ display_name: 'Acme' }, person)).status).toBe(201);
    expect((await create({ display_name: 'Acme' }, person)).status).toBe(429);
  });

  test.each(['client', 'server', 'admin'] as const)(
    'is open to signed-in users of internal at level %s',
    async level => {
      expect((await create({ display_name: 'Acme' }, owner, { level })).status).toBe(201);
    },
  );

  test('accepts the whole configuration', async () => {
    const given = {
      sign_up_enabled: false,
      credential_enabled: false,
      magic_link_enabled: true,
      passkey_enabled: true,
      client_team_creation_enabled: true,
      client_user_deletion_enabled: true,
      allow_localhost: false,
      allow_user_api_keys: true,
      allow_team_api_keys: true,
      oauth_account_merge_strategy: 'raise_error',
      oauth_providers: [
        { id: 'x', type: 'shared' },
        { id: 'facebook', type: 'standard', client_id: 'f', client_secret: 's', facebook_config_id: 'c' },
        { id: 'apple', type: 'standard', client_id: 'a', client_secret: 't' },
      ],
      domains: [
        { domain: 'https://www.example.com', handler_path: '/handler' },
        { domain: 'http://a.example.com', handler_path: '/' },
      ],
      email_config: {
        type: 'standard',
        host: 'smtp.example.com',
        port: 465,
        username: 'u',
        password: 'p',
        sender_name: 'Acme',
        sender_email: 'noreply@example.com',
      },
      email_theme: 'default-dark',
      create_team_on_sign_up: true,
      team_creator_default_permissions: [{ id: 'team_member' }, { id: '$update_team' }, { id: 'team_admin' }],
      team_member_default_permissions: [],
      user_default_permissions: [],
    };
    const body = { display_name: '', description: 'About', is_production_mode: true, config: given };
    expect(outcome(await create(body))).toEqual({
      status: 201,
      body: newProject(anId, {
        ...body,
        config: {
          ...given,
          oauth_providers: [given.oauth_providers[2], given.oauth_providers[1], given.oauth_providers[0]],
          enabled_oauth_providers: [{ id: 'apple' }, { id: 'facebook' }, { id: 'x' }],
          domains: [given.domains[1], given.domains[0]],
          team_creator_default_permissions: [{ id: '$update_team' }, { id: 'team_admin' }, { id: 'team_member' }],
        },
      }),
    });
  });

  test('stores a missing description as an empty one', async () => {
    const answer = await create({ display_name: 'Acme', description: null });
    expect(answer.json).toMatchObject({ description: '' });
  });

  test('creates two team permissions with a description, and nothing else', async () => {
    const id = await createdId();
    const { json } = await server.call('GET /team-permission-definitions', asOwner(id));
    const own = (json as { items: { id: string }[] }).items.filter(item => !item.id.startsWith('$'));
    expect(own).toEqual([
      {
        id: 'team_admin',
        description: 'Manage the team and its members',
        contained_permission_ids: [
          '$delete_team',
          '$invite_members',
          '$manage_api_keys',
          '$read_members',
          '$remove_members',
          '$update_team',
        ],
      },
      {
        id: 'team_member',
        description: 'See the members of the team and invite others',
        contained_permission_ids: ['$invite_members', '$read_members'],
      },
    ]);
    for (const route of ['GET /project-permission-definitions', 'GET /internal/api-keys', 'GET /users'] as const) {
      expect((await server.call(route, asOwner(id))).json).toMatchObject({ items: [] });
    }
  });

  test('appends the project to the ownership record of its creator, and keeps the other metadata', async () => {
    const eve = await server.make.user();
    const elsewhere = randomUUID();
    const before = { plan: 'gold', managedProjectIds: [elsewhere] };
    await server.call('PATCH /users/me', {
      level: 'server',
      accessToken: eve.accessToken,
      body: { server_metadata: before },
    });
    const [first, second] = [await createdId(undefined, eve), await createdId(undefined, eve)];
    expect(await ownedBy(eve)).toEqual({ plan: 'gold', managedProjectIds: [elsewhere, first, second] });
  });

  test.each([['gold'], [[1]], [null]])('metadata that is %j gives way to the record of ownership', async metadata => {
    const eve = await server.make.user();
    const body = { server_metadata: metadata };
    await server.call('PATCH /users/me', { level: 'server', accessToken: eve.accessToken, body });
    const id = await createdId(undefined, eve);
    expect(await ownedBy(eve)).toEqual({ managedProjectIds: [id] });
  });

  test('control 101: concurrent creations by one user all succeed, and the user owns all projects', async () => {
    const eve = await server.make.user();
    const ids = await Promise.all(Array.from({ length: 8 }, () => createdId(undefined, eve)));
    const { managedProjectIds } = (await ownedBy(eve)) as { managedProjectIds: string[] };
    expect(managedProjectIds.sort()).toEqual(ids.sort());
  });

  test('refuses default permissions that do not exist', async () => {
    const answer = await create({ display_name: 'A', config: { user_default_permissions: [{ id: 'beta' }] } });
    expect(outcome(answer)).toEqual({
      status: 404,
      code: 'PERMISSION_NOT_FOUND',
      details: { permission_id: 'beta' },
    });
  });
});

describe('the project endpoints of internal', () => {
  const body = { display_name: 'Acme' };
  const noUser = { status: 401, code: 'USER_AUTHENTICATION_REQUIRED' };

  test.each(['client', 'server', 'admin'] as const)('refuse a caller without a user at level %s', async level => {
    const answers = [
      await server.call('POST /internal/projects', { level, body }),
      await server.call('GET /internal/projects', { level }),
    ];
    expect(answers.map(outcome)).toEqual([noUser, noUser]);
  });

  test('refuse a user of another project, after the check for a missing user', async () => {
    const project = await server.make.project();
    expect(outcome(await server.call('GET /internal/projects', { project }))).toEqual(noUser);
    const { accessToken } = await server.make.user({ project });
    const answers = [await create(body, { accessToken }, { project }), await list({ accessToken }, { project })];
    const expected = { status: 401, code: 'EXPECTED_INTERNAL_PROJECT' };
    expect(answers.map(outcome)).toEqual([expected, expected]);
  });

  test('refuse the creation by a user who owns 1,000 projects', async () => {
    const eve = await server.make.user();
    const own = (count: number) => {
      const server_metadata = { managedProjectIds: Array.from({ length: count }, () => randomUUID()) };
      return server.call('PATCH /users/me', {
        level: 'server',
        accessToken: eve.accessToken,
        body: { server_metadata },
      });
    };
    await own(1_000);
    expect(outcome(await create(body, eve))).toEqual({ status: 403, says: 'a sentence' });
    await own(999);
    expect((await create(body, eve)).status).toBe(201);

    await own(999);
    const both = await allAtOnce(server, eve.userId, [() => create(body, eve), () => create(body, eve)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403]);
  });

  test('refuse the creation by an anonymous user, who can list projects', async () => {
    const { json } = await server.call('POST /auth/anonymous/sign-up');
    const accessToken = (json as { access_token: string }).access_token;
    expect(outcome(await create(body, { accessToken }))).toEqual({ status: 403, says: 'a sentence' });
    expect(outcome(await list({ accessToken }))).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });
});

describe('GET /internal/projects', () => {
  test('control 79: a long list is sent in parts, also to concurrent requests of its owner', async () => {
    const eve = await server.make.user();
    const ids: string[] = [];
    for (let index = 0; index < 25; index++) ids.push(await createdId({ display_name: `Project ${index}` }, eve));
    const items = ids.map((id, index) => newProject(id, { display_name: `Project ${index}` }));
    const answers = await Promise.all(Array.from({ length: 4 }, () => list(eve)));
    for (const answer of answers) {
      expect(outcome(answer)).toEqual({ status: 200, body: { items, is_paginated: false } });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    const options = { method: 'GET', headers: headersOf({ accessToken: eve.accessToken }) };
    const response = await server.app(new Request('http://localhost:4280/api/v1/internal/projects', options));
    const parts: Uint8Array[] = [];
    for await (const part of response.body ?? []) parts.push(part);
    expect(parts.length).toBeGreaterThan(1);
    const head = await server.app(
      new Request('http://localhost:4280/api/v1/internal/projects', { ...options, method: 'HEAD' }),
    );
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('a long list is indented for a browser, as a short one is', async () => {
    const eve = await server.make.user();
    for (let index = 0; index < 11; index++) await createdId({ display_name: 'a\nb [{"c":1}]' }, eve);
    const short = await server.make.user();
    await createdId({ display_name: 'One' }, short);
    const none = await server.make.user();
    const server_metadata = { managedProjectIds: Array.from({ length: 11 }, () => randomUUID()) };
    await server.call('PATCH /users/me', { level: 'server', accessToken: none.accessToken, body: { server_metadata } });
    for (const person of [eve, short, none]) {
      const answer = await list(person, { headers: { accept: 'text/html' } });
      expect(answer.text).toBe(JSON.stringify(answer.json, null, 2));
      const plain = await list(person);
      expect(plain.text).toBe(JSON.stringify(answer.json));
    }
  });

  test('of a person whose projects are all deleted is empty, also for many ids', async () => {
    const eve = await server.make.user();
    const server_metadata = { managedProjectIds: Array.from({ length: 30 }, () => randomUUID()) };
    await server.call('PATCH /users/me', { level: 'server', accessToken: eve.accessToken, body: { server_metadata } });
    expect(outcome(await list(eve))).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });

  test('lists the owned projects in the order of the record, without deleted ones, each once', async () => {
    const eve = await server.make.user();
    expect(outcome(await list(eve))).toEqual({ status: 200, body: { items: [], is_paginated: false } });
    const one = await createdId({ display_name: 'One', config: { magic_link_enabled: true } }, eve);
    const two = await createdId({ display_name: 'Two' }, eve);
    const server_metadata = { managedProjectIds: [two, randomUUID(), 'nonsense', 7, one, two] };
    await server.call('PATCH /users/me', { level: 'server', accessToken: eve.accessToken, body: { server_metadata } });
    expect(outcome(await list(eve))).toEqual({
      status: 200,
      body: {
        items: [
          newProject(two, { display_name: 'Two' }),
          newProject(one, { display_name: 'One', config: { ...config, magic_link_enabled: true } }),
        ],
        is_paginated: false,
      },
    });
  });

  test('a project that a server of internal adds to a second owner is listed for that owner', async () => {
    const [eve, ada] = [await server.make.user(), await server.make.user()];
    const id = await createdId(undefined, eve);
    const body = { server_metadata: { managedProjectIds: [id] } };
    await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: ada.userId }, body });
    for (const one of [eve, ada]) {
      expect((await server.call('GET /internal/projects/current', asOwner(id, one))).json).toMatchObject({ id });
    }
  });
});

describe('GET /internal/projects/current', () => {
  test('returns the admin view by admin key and by the session of an owner', async () => {
    const project = await server.make.project();
    const body = newProject(project.id, { display_name: 'A project' });
    const byKey = await server.call('GET /internal/projects/current', { project, level: 'admin' });
    expect(outcome(byKey)).toEqual({ status: 200, body });
    const id = await createdId();
    const bySession = await server.call('GET /internal/projects/current', asOwner(id));
    expect(outcome(bySession)).toEqual({ status: 200, body: newProject(id) });
  });

  test.each(['client', 'server'] as const)('tells level %s nothing', async level => {
    const project = await server.make.project();
    const details = { actual_access_type: level, allowed_access_types: ['admin'] };
    expect(outcome(await server.call('GET /internal/projects/current', { project, level }))).toEqual({
      status: 401,
      code: 'INSUFFICIENT_ACCESS_TYPE',
      details,
    });
  });

  test('an unset setting has the default of the contract', async () => {
    const project = await server.make.project();
    await server.deps.db.query(sql`update projects set config = '{}' where id = ${project.id}`);
    const { json } = await server.call('GET /internal/projects/current', { project, level: 'admin' });
    expect((json as { config: unknown }).config).toEqual({
      ...config,
      credential_enabled: false,
      allow_localhost: false,
      team_creator_default_permissions: [],
      team_member_default_permissions: [],
    });
  });
});

describe('control 99: the secrets of a project', () => {
  const secrets = { client_secret: 'the client secret', password: 'the smtp password' };
  const withSecrets = {
    oauth_providers: [{ id: 'github', type: 'standard', client_id: 'c', client_secret: secrets.client_secret }],
    email_config: {
      type: 'standard',
      host: 'h',
      port: 25,
      username: 'u',
      password: secrets.password,
      sender_name: 'n',
      sender_email: 'a@b',
    },
  };
  let project: ProjectAccess;
  beforeAll(async () => {
    project = await server.make.project();
    const body = { config: withSecrets };
    const answer = await server.call('PATCH /internal/projects/current', { project, level: 'admin', body });
    expect(answer.json).toMatchObject({ config: withSecrets });
  });

  test('are returned in clear to admins', async () => {
    const { json } = await server.call('GET /internal/projects/current', { project, level: 'admin' });
    expect(json).toMatchObject({ config: withSecrets });
  });

  test('are encrypted in the database', async () => {
    const rows = await server.deps.db.query(sql`
      select row_to_json(p)::text as row from projects p where id = ${project.id}
      union all
      select row_to_json(a)::text from audit_events a where project_id = ${project.id} and action = 'project.config_changed'
    `);
    expect(rows).toHaveLength(2);
    for (const secret of Object.values(secrets)) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('are absent from the client view', async () => {
    const { text } = await server.call('GET /projects/current', { project });
    expect(text).not.toContain('secret');
    expect(JSON.parse(text)).toMatchObject({ config: { enabled_oauth_providers: [{ id: 'github' }] } });
  });
});
