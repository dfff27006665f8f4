import {
  descriptionMaxLength,
  permissionDefinitionsMaxLength,
  permissionIdMaxLength,
  permissionIdsMax,
} from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { limitDeletedRows } from '../../../test/statement-size.ts';
import { as, asServer, openScene, type Scene } from '../../teams/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
});

const asAdmin = { level: 'admin' } as const;
const success = { status: 200, body: { success: true } };
const created = (body: object) => ({ status: 201, body });
const changed = (body: object) => ({ status: 200, body });
const refused = (status: number, code: string, permission_id: string) => ({ status, code, details: { permission_id } });
const invalid = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };

type Definition = { id: string; description?: string; contained_permission_ids: string[] };

const system = [
  '$delete_team',
  '$invite_members',
  '$manage_api_keys',
  '$read_members',
  '$remove_members',
  '$update_team',
].map(id => ({ id, description: expect.stringMatching(/^.{10,}$/), contained_permission_ids: [] }));
const preset: Definition[] = [
  {
    id: 'team_admin',
    description: 'Manage the team and its members',
    contained_permission_ids: system.map(({ id }) => id),
  },
  {
    id: 'team_member',
    description: 'See the members of the team and invite others',
    contained_permission_ids: ['$invite_members', '$read_members'],
  },
];

const define = (scope: 'team' | 'project', body: unknown) =>
  scene.call(`POST /${scope}-permission-definitions`, { ...asAdmin, body });
const change = (scope: 'team' | 'project', id: string, body: unknown) =>
  scene.call(`PATCH /${scope}-permission-definitions/{id}`, { ...asAdmin, params: { id }, body });
const remove = (scope: 'team' | 'project', id: string, options = {}) =>
  scene.call(`DELETE /${scope}-permission-definitions/{id}`, { ...asAdmin, params: { id }, ...options });
const listed = (scope: 'team' | 'project') => scene.call(`GET /${scope}-permission-definitions`, asAdmin);
const list = (...items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });

describe.each(['team', 'project'] as const)('definitions of the %s scope', scope => {
  const before = scope === 'team' ? [...system, ...preset] : [];

  test('a new project lists the system permissions, team_admin and team_member, each with a description, in the team scope', async () => {
    expect(await listed(scope)).toEqual(list(...before));
  });

  test('a definition needs an id only; all other fields are optional', async () => {
    expect(await define(scope, { id: 'aa' })).toEqual(created({ id: 'aa', contained_permission_ids: [] }));
    const full = { id: '9:b_', description: 'Nine', contained_permission_ids: ['aa'] };
    expect(await define(scope, full)).toEqual(created(full));
    expect(await define(scope, { id: 'zz', description: '' })).toEqual(
      created({ id: 'zz', contained_permission_ids: [] }),
    );
    const items = [
      full,
      { id: 'aa', contained_permission_ids: [] },
      ...before.slice(6),
      { id: 'zz', contained_permission_ids: [] },
    ];
    expect(await listed(scope)).toEqual(list(...before.slice(0, 6), ...items));
  });

  test('contained ids are sorted and deduplicated', async () => {
    for (const id of ['b', 'a_', 'ab', '1']) await define(scope, { id });
    const body = { id: 'all', contained_permission_ids: ['b', 'ab', 'a_', '1', 'b'] };
    expect(await define(scope, body)).toEqual(created({ id: 'all', contained_permission_ids: ['1', 'ab', 'a_', 'b'] }));
  });

  test('a list of contained ids has at most 1,000 items', async () => {
    await define(scope, { id: 'aa' });
    const body = { id: 'all', contained_permission_ids: Array(permissionIdsMax).fill('aa') };
    expect(await define(scope, body)).toEqual(created({ id: 'all', contained_permission_ids: ['aa'] }));
    const more = { id: 'more', contained_permission_ids: Array(permissionIdsMax + 1).fill('aa') };
    expect(await define(scope, more)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });

  test('an id is unique over both scopes', async () => {
    await define('team', { id: 'mine' });
    await define('project', { id: 'yours' });
    for (const id of ['mine', 'yours', 'team_admin']) {
      expect(await define(scope, { id })).toEqual(refused(400, 'PERMISSION_ID_ALREADY_EXISTS', id));
    }
  });

  test('a contained permission must exist in the same scope', async () => {
    const other = scope === 'team' ? 'project' : 'team';
    await define(other, { id: 'elsewhere' });
    for (const id of ['gone', 'elsewhere', ...(scope === 'project' ? ['$read_members', 'team_admin'] : [])]) {
      const missing = refused(400, 'CONTAINED_PERMISSION_NOT_FOUND', id);
      expect(await define(scope, { id: 'new', contained_permission_ids: [id, 'lost'] })).toEqual(missing);
    }
  });

  test.each([
    ['a missing id', {}],
    ['an empty id', { id: '' }],
    ['upper case', { id: 'Admin' }],
    ['an unsupported character', { id: 'a-b' }],
    ['a system permission', { id: '$read_members' }],
    ['an unknown id with $', { id: '$own' }],
    ['a line break at the end', { id: 'a\n' }],
    ['null', { id: null }],
    ['an id that is too long', { id: 'a'.repeat(permissionIdMaxLength + 1) }],
    ['a description that is null', { id: 'a', description: null }],
    ['a description that is an object', { id: 'a', description: {} }],
    ['contained ids that are not a list', { id: 'a', contained_permission_ids: 'b' }],
    ['a malformed contained id', { id: 'a', contained_permission_ids: ['A'] }],
    ['an unknown contained id with $', { id: 'a', contained_permission_ids: ['$own'] }],
    ['control 90: another key', { id: 'a', scope: 'project' }],
    ['a list instead of an object', []],
    ['a missing body', undefined],
  ])('%s is refused', async (_, body) => {
    expect(await define(scope, body)).toEqual(invalid);
    expect(await listed(scope)).toEqual(list(...before));
  });

  test('the longest id and a long description are stored', async () => {
    const body = {
      id: 'z'.repeat(permissionIdMaxLength),
      description: '%'.repeat(10_000),
      contained_permission_ids: [],
    };
    expect(await define(scope, body)).toEqual(created(body));
    expect(await listed(scope)).toEqual(list(...before, body));
  });

  test('an update keeps the fields that it does not name', async () => {
    await define(scope, { id: 'inner' });
    const full = { id: 'outer', description: 'Outer', contained_permission_ids: ['inner'] };
    await define(scope, full);
    expect(await change(scope, 'outer', {})).toEqual(changed(full));
    expect(await change(scope, 'outer', { id: 'outer' })).toEqual(changed(full));
    expect(await change(scope, 'outer', { description: 'More' })).toEqual(changed({ ...full, description: 'More' }));
    expect(await change(scope, 'outer', { contained_permission_ids: [] })).toEqual(
      changed({ id: 'outer', description: 'More', contained_permission_ids: [] }),
    );
    expect(await change(scope, 'outer', { description: '' })).toEqual(
      changed({ id: 'outer', contained_permission_ids: [] }),
    );
    expect(await change(scope, 'outer', { id: 'last' })).toEqual(changed({ id: 'last', contained_permission_ids: [] }));
  });

  test('an update is refused with the same errors as a creation', async () => {
    await define(scope, { id: 'one' });
    await define('project', { id: 'two' });
    expect(await change(scope, 'one', { id: 'two' })).toEqual(refused(400, 'PERMISSION_ID_ALREADY_EXISTS', 'two'));
    expect(await change(scope, 'one', { id: 'new', contained_permission_ids: ['new'] })).toEqual(
      refused(400, 'CONTAINED_PERMISSION_NOT_FOUND', 'new'),
    );
    for (const body of [{ id: '$read_members' }, { id: 'A' }, { scope: 'team' }, { description: null }, undefined]) {
      expect(await change(scope, 'one', body)).toEqual(invalid);
    }
    expect(await change(scope, 'A', {})).toEqual(invalid);
  });

  test('definitions can contain themselves and each other, and these references follow a rename', async () => {
    for (const id of ['a', 'b']) await define(scope, { id });
    await change(scope, 'a', { contained_permission_ids: ['a', 'b'] });
    await change(scope, 'b', { contained_permission_ids: ['a'] });
    expect(await change(scope, 'a', { id: 'c' })).toEqual(changed({ id: 'c', contained_permission_ids: ['b', 'c'] }));
    expect(await listed(scope)).toEqual(
      list(
        ...before.slice(0, 6),
        { id: 'b', contained_permission_ids: ['c'] },
        { id: 'c', contained_permission_ids: ['b', 'c'] },
        ...before.slice(6),
      ),
    );
  });

  test('a deleted definition is removed from all definitions that contain it', async () => {
    await define(scope, { id: 'a' });
    await define(scope, { id: 'b', contained_permission_ids: ['a'] });
    expect(await remove(scope, 'a', { body: { any: 'thing' } })).toEqual(success);
    expect(await listed(scope)).toEqual(
      list(...before.slice(0, 6), { id: 'b', contained_permission_ids: [] }, ...before.slice(6)),
    );
    expect(await remove(scope, 'a')).toEqual(refused(404, 'PERMISSION_NOT_FOUND', 'a'));
  });

  test.each(['gone', 'elsewhere', '$read_members'])('%s is not there to be changed or deleted', async id => {
    await define(scope === 'team' ? 'project' : 'team', { id: 'elsewhere' });
    const missing = refused(404, 'PERMISSION_NOT_FOUND', id);
    expect(await change(scope, id, { description: 'x' })).toEqual(missing);
    expect(await remove(scope, id)).toEqual(missing);
  });

  test('unknown query keys are refused', async () => {
    await define(scope, { id: 'a' });
    const query = { limit: '1' };
    const params = { id: 'a' };
    const base = `/${scope}-permission-definitions` as const;
    expect(await scene.call(`GET ${base}`, { ...asAdmin, query })).toEqual(invalid);
    expect(await scene.call(`POST ${base}`, { ...asAdmin, query, body: { id: 'b' } })).toEqual(invalid);
    expect(await scene.call(`PATCH ${base}/{id}`, { ...asAdmin, query, params, body: {} })).toEqual(invalid);
    expect(await scene.call(`DELETE ${base}/{id}`, { ...asAdmin, query, params })).toEqual(invalid);
  });

  test.each(['client', 'server'] as const)('level %s may not', async level => {
    const person = await scene.person();
    const params = { id: 'team_admin' };
    const base = `/${scope}-permission-definitions` as const;
    const insufficient = {
      status: 401,
      code: 'INSUFFICIENT_ACCESS_TYPE',
      details: { actual_access_type: level, allowed_access_types: ['admin'] },
    };
    for (const one of [{ level }, { level, ...as(person) }]) {
      expect(await scene.call(`GET ${base}`, one)).toEqual(insufficient);
      expect(await scene.call(`POST ${base}`, { ...one, body: { id: 'b' } })).toEqual(insufficient);
      expect(await scene.call(`PATCH ${base}/{id}`, { ...one, params, body: {} })).toEqual(insufficient);
      expect(await scene.call(`DELETE ${base}/{id}`, { ...one, params })).toEqual(insufficient);
    }
  });

  test('control 92: the definitions of another project cannot be read, changed or deleted', async () => {
    await define(scope, { id: 'mine', description: 'Mine' });
    const mine = scene;
    scene = await openScene(server);
    expect(await listed(scope)).toEqual(list(...before));
    expect(await change(scope, 'mine', { description: 'Ours' })).toEqual(refused(404, 'PERMISSION_NOT_FOUND', 'mine'));
    expect(await remove(scope, 'mine')).toEqual(refused(404, 'PERMISSION_NOT_FOUND', 'mine'));
    expect(await define(scope, { id: 'mine' })).toEqual(created({ id: 'mine', contained_permission_ids: [] }));
    expect(await remove(scope, 'mine')).toEqual(success);
    scene = mine;
    const kept = { id: 'mine', description: 'Mine', contained_permission_ids: [] };
    expect(await listed(scope)).toEqual(list(...before.slice(0, 6), kept, ...before.slice(6)));
  });
});

describe('references to a definition', () => {
  const grant = (teamId: string, userId: string, permission_id: string) =>
    scene.call('POST /team-permissions/{team_id}/{user_id}/{permission_id}', {
      ...asServer,
      params: { team_id: teamId, user_id: userId, permission_id },
      body: {},
    });
  const grantInProject = (userId: string, permission_id: string) =>
    scene.call('POST /project-permissions/{user_id}/{permission_id}', {
      ...asServer,
      params: { user_id: userId, permission_id },
      body: {},
    });
  const held = (query: Record<string, string> = {}) => scene.call('GET /team-permissions', { ...asServer, query });
  const heldInProject = () => scene.call('GET /project-permissions', asServer);

  async function storedSets(): Promise<unknown> {
    const [row] = await server.deps.db.query<{ config: Record<string, unknown> }>(
      sql`select config from projects where id = ${scene.project.id}`,
    );
    const { teamCreatorDefaultPermissions, teamMemberDefaultPermissions, userDefaultPermissions } = row?.config ?? {};
    return { teamCreatorDefaultPermissions, teamMemberDefaultPermissions, userDefaultPermissions };
  }

  test('a rename updates the grants of both scopes and sends no webhook', async () => {
    const { id: team_id, creator } = await scene.filledTeam();
    const { id: user_id } = creator;
    await scene.may(team_id, creator, []);
    await define('team', { id: 'old' });
    await define('project', { id: 'before' });
    await grant(team_id, user_id, 'old');
    await grantInProject(user_id, 'before');
    await scene.publishedEvents();
    await change('team', 'old', { id: 'new' });
    await change('project', 'before', { id: 'after' });
    expect(await held({ user_id })).toEqual(list({ id: 'new', user_id, team_id }));
    expect(await heldInProject()).toEqual(list({ id: 'after', user_id }));
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('a rename updates the grants of many users by statements of a part of them', async () => {
    const { id: team_id } = await scene.filledTeam();
    const { id: projectId } = scene.project;
    await define('team', { id: 'old' });
    await define('project', { id: 'before' });
    await server.deps.db.query(sql`
      with new_user as (
        insert into users (project_id, id, signed_up_at_millis, search)
        select ${projectId}, gen_random_uuid(), i, i::text from generate_series(1, 600) i returning id
      ), new_member as (
        insert into team_memberships (project_id, team_id, user_id, created_at_millis)
        select ${projectId}, ${team_id}, id, 0 from new_user
      ), team_grant as (
        insert into team_permissions (project_id, team_id, user_id, permission_id)
        select ${projectId}, ${team_id}, id, 'old' from new_user
      )
      insert into project_permissions (project_id, user_id, permission_id)
      select ${projectId}, id, 'before' from new_user
    `);
    for (const table of ['team_permissions', 'project_permissions'])
      await limitDeletedRows(server.connection, table, 200);
    expect((await change('team', 'old', { id: 'new' })).status).toBe(200);
    expect((await change('project', 'before', { id: 'after' })).status).toBe(200);
    const grants = await server.deps.db.query(sql`
      select permission_id as id, count(*) as count from team_permissions
      where project_id = ${projectId} and permission_id in ('old', 'new') group by permission_id
      union all
      select permission_id, count(*) from project_permissions where project_id = ${projectId} group by permission_id
    `);
    expect(grants).toEqual([
      { id: 'new', count: 600 },
      { id: 'after', count: 600 },
    ]);
  });

  test('a rename does not update the default sets of the project', async () => {
    await change('team', 'team_member', { id: 'associate' });
    expect(await storedSets()).toEqual({
      teamCreatorDefaultPermissions: ['team_admin'],
      teamMemberDefaultPermissions: ['team_member'],
      userDefaultPermissions: undefined,
    });
    const teamId = await scene.team();
    const person = await scene.person();
    await scene.join(teamId, person);
    expect(await held()).toEqual(list());
  });

  test('a permission is held as soon as a held definition contains it, and no longer when it is removed', async () => {
    const { id: team_id, creator } = await scene.filledTeam();
    const { id: user_id } = creator;
    const inAnyWay = () => held({ user_id, recursive: 'true', permission_id: 'inner' });
    await define('team', { id: 'inner' });
    expect(await inAnyWay()).toEqual(list());
    await change('team', 'team_admin', { contained_permission_ids: ['inner'] });
    expect(await inAnyWay()).toEqual(list({ id: 'inner', user_id, team_id }));
    await change('team', 'team_admin', { contained_permission_ids: [] });
    expect(await inAnyWay()).toEqual(list());
  });

  test('the grants of a deleted definition are deleted without a webhook', async () => {
    const { id: team_id, creator } = await scene.filledTeam();
    await define('team', { id: 'a' });
    await define('project', { id: 'b' });
    await grant(team_id, creator.id, 'a');
    await grantInProject(creator.id, 'b');
    await scene.publishedEvents();
    expect(await remove('team', 'a')).toEqual(success);
    expect(await remove('project', 'b')).toEqual(success);
    expect(await scene.publishedEvents()).toEqual([]);
    await define('team', { id: 'a' });
    await define('project', { id: 'b' });
    expect(await held({ permission_id: 'a' })).toEqual(list());
    expect(await heldInProject()).toEqual(list());
  });

  test('a deleted definition is removed from the default sets, and the other configuration stays', async () => {
    scene = await openScene(server, {
      clientUserDeletionEnabled: true,
      teamCreatorDefaultPermissions: ['$update_team', 'team_member', 'team_admin'],
      userDefaultPermissions: ['reader'],
    });
    await define('project', { id: 'reader' });
    await remove('team', 'team_member');
    await remove('project', 'reader');
    expect(await storedSets()).toEqual({
      teamCreatorDefaultPermissions: ['$update_team', 'team_admin'],
      teamMemberDefaultPermissions: [],
      userDefaultPermissions: [],
    });
    const [row] = await server.deps.db.query<{ config: object }>(
      sql`select config from projects where id = ${scene.project.id}`,
    );
    expect(row?.config).toMatchObject({ clientUserDeletionEnabled: true, clientTeamCreationEnabled: true });
  });

  test('deleting a definition removes the default permission from the settings that every process caches', async () => {
    const beside = await openTestServer({ beside: server });
    await beside.deps.projects.find(scene.project.id);
    const heard = new Promise<void>(resolve =>
      beside.deps.databaseNotifications.on('project', key => {
        if (key === scene.project.id) resolve();
      }),
    );
    await remove('team', 'team_member');
    await heard;
    const loaded = await beside.deps.projects.find(scene.project.id);
    await beside.close();
    expect(loaded?.project.config.teamMemberDefaultPermissions).toEqual([]);
  });

  test('a change takes effect at once in another process', async () => {
    const { creator } = await scene.filledTeam();
    const beside = await openTestServer({ beside: server });
    const query = { user_id: 'me', recursive: 'true', permission_id: '$delete_team' };
    const options = { project: scene.project, ...as(creator), query };
    const count = async () =>
      ((await beside.call('GET /team-permissions', options)).json as { items: unknown[] }).items.length;
    const counts = [await count()];
    for (const ids of [[], ['$delete_team'], ['team_member'], ['team_admin']]) {
      await change('team', 'team_admin', { contained_permission_ids: ids });
      counts.push(await count());
    }
    await beside.close();
    expect(counts).toEqual([1, 0, 1, 0, 0]);
  });
});

describe('the definitions of a project together', () => {
  const tooLong = { status: 400, says: 'a sentence' };
  const description = 'x'.repeat(descriptionMaxLength);

  /** Definitions of another version, in which they had no maximum. */
  async function fill(count: number): Promise<void> {
    await server.deps.db.query(sql`
      insert into permission_definitions (project_id, id, scope, description, contained_permission_ids)
      select ${scene.project.id}, 'p' || n, 'project', ${description}, array['short'] from generate_series(1, ${count}) n
    `);
  }

  test('have a maximum length, which a creation, a description, contained ids and a rename meet', async () => {
    await define('project', { id: 'short' });
    await fill(Math.floor(permissionDefinitionsMaxLength / descriptionMaxLength) - 2);
    expect(await define('team', { id: 'first', description })).toMatchObject({ status: 201 });
    expect(await define('team', { id: 'second', description })).toEqual(tooLong);
    expect(await change('project', 'short', { description })).toEqual(tooLong);
    expect(await change('project', 'short', { id: 'l'.repeat(permissionIdMaxLength) })).toEqual(tooLong);
    expect(await define('project', { id: 'third' })).toMatchObject({ status: 201 });
  });

  test('can be made shorter when they have more than the maximum', async () => {
    await define('project', { id: 'short' });
    await fill(permissionDefinitionsMaxLength / descriptionMaxLength + 2);
    expect(await define('project', { id: 'more' })).toEqual(tooLong);
    expect(await change('project', 'p1', { description: '' })).toMatchObject({ status: 200 });
    expect(await remove('project', 'p2')).toEqual(success);
  });
});

test('a project that is being deleted refuses new definitions', async () => {
  const { id: project_id } = scene.project;
  await listed('team');
  await server.deps.db.query(sql`delete from projects where id = ${project_id}`);
  expect(await define('team', { id: 'late' })).toEqual({
    status: 404,
    code: 'PROJECT_NOT_FOUND',
    details: { project_id },
  });
});
