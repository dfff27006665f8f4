import { randomUUID } from 'node:crypto';
import { requestOf } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { as, asServer, openScene, type Person, type Scene, type TeamFilled } from '../../teams/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let team: TeamFilled;
let outsider: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  [team, outsider] = [await scene.filledTeam(), await scene.person()];
  for (const [scope, id, contained_permission_ids] of [
    ['team', 'inner', []],
    ['team', 'outer', ['inner', '$read_members']],
    ['project', 'reader', []],
    ['project', 'editor', ['reader']],
  ] as const) {
    const body = { id, contained_permission_ids };
    await scene.call(`POST /${scope}-permission-definitions`, { level: 'admin', body });
  }
  await scene.publishedEvents();
});

const success = { status: 200, body: { success: true } };
const list = (...items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });
const sentence = (status: number) => ({ status, says: 'a sentence' });
const invalid = { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.any(String) } };
const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
const userNotFound = { status: 404, code: 'USER_NOT_FOUND' };
const notFound = (permission_id: string) => ({ status: 404, code: 'PERMISSION_NOT_FOUND', details: { permission_id } });
const notIn = (team_id: string, user_id: string) => ({
  status: 404,
  code: 'TEAM_MEMBERSHIP_NOT_FOUND',
  details: { team_id, user_id },
});
const wrongScope = (permission_id: string, expected_scope: string, actual_scope: string) => ({
  status: 404,
  code: 'WRONG_PERMISSION_SCOPE',
  details: { permission_id, expected_scope, actual_scope },
});
const serverOnly = {
  status: 401,
  code: 'INSUFFICIENT_ACCESS_TYPE',
  details: { actual_access_type: 'client', allowed_access_types: ['server', 'admin'] },
};
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

type Options = Parameters<Scene['call']>[1];
type Query = Record<string, string>;

describe('permissions in teams', () => {
  const path = '/team-permissions/{team_id}/{user_id}/{permission_id}';
  const params = (team_id: string, user_id: string, permission_id: string) => ({ team_id, user_id, permission_id });
  const grant = (teamId: string, userId: string, id: string, options: Options = {}) =>
    scene.call(`POST ${path}`, { ...asServer, params: params(teamId, userId, id), body: {}, ...options });
  const revoke = (teamId: string, userId: string, id: string, options: Options = {}) =>
    scene.call(`DELETE ${path}`, { ...asServer, params: params(teamId, userId, id), ...options });
  const held = (query: Record<string, string> = {}, options: Options = asServer) =>
    scene.call('GET /team-permissions', { ...options, query });
  const item = (id: string, { id: user_id }: Person, team_id = team.id) => ({ id, user_id, team_id });

  describe('granting', () => {
    test.each(['inner', '$delete_team'])('%s: it is held from then on, and told', async id => {
      const { powerless } = team;
      expect(await grant(team.id, powerless.id, id)).toEqual({ status: 201, body: item(id, powerless) });
      expect(await held({ user_id: powerless.id })).toEqual(list(item(id, powerless)));
      expect(await scene.publishedEvents()).toEqual([{ type: 'team_permission.created', data: item(id, powerless) }]);
    });

    test('a repeated grant is stored once and published twice', async () => {
      const { powerless } = team;
      const granted = { status: 201, body: item('inner', powerless) };
      expect([await grant(team.id, powerless.id, 'inner'), await grant(team.id, powerless.id, 'inner')]).toEqual([
        granted,
        granted,
      ]);
      expect(await held({ user_id: powerless.id })).toEqual(list(item('inner', powerless)));
      const event = { type: 'team_permission.created', data: item('inner', powerless) };
      expect(await scene.publishedEvents()).toEqual([event, event]);
    });

    test('me is the user of the access token, and ids can be in upper case', async () => {
      const { powerless } = team;
      const signedIn = { ...asServer, ...as(powerless) };
      expect(await grant(team.id.toUpperCase(), 'me', 'inner', signedIn)).toEqual({
        status: 201,
        body: item('inner', powerless),
      });
      expect(await grant(team.id, powerless.id.toUpperCase(), 'outer')).toEqual({
        status: 201,
        body: item('outer', powerless),
      });
      expect(await grant(team.id, 'me', 'inner')).toEqual(noUser);
    });

    test('errors are reported in this order: user, membership, permission, scope', async () => {
      const unknownUserId = randomUUID();
      expect(await grant(randomUUID(), unknownUserId, 'gone')).toEqual(userNotFound);
      expect(await grant(team.id, outsider.id, 'gone')).toEqual(notIn(team.id, outsider.id));
      const noTeam = randomUUID();
      expect(await grant(noTeam, outsider.id, 'inner')).toEqual(notIn(noTeam, outsider.id));
      expect(await grant(team.id, team.member.id, 'gone')).toEqual(notFound('gone'));
      expect(await grant(team.id, team.member.id, 'reader')).toEqual(wrongScope('reader', 'team', 'project'));
      expect(await scene.publishedEvents()).toEqual([]);
    });

    test.each([
      ['a malformed team id', { team_id: 'x' }, {}],
      ['a malformed user id', { user_id: 'x' }, {}],
      ['a malformed permission id', { permission_id: 'A' }, {}],
      ['an unknown permission id with $', { permission_id: '$own' }, {}],
      ['an unknown body key', {}, { body: { force: true } }],
      ['a missing body', {}, { body: undefined }],
      ['an unknown query key', {}, { query: { recursive: 'true' } }],
    ])('%s is refused', async (_, changed, options: Options) => {
      const all = { ...params(team.id, team.member.id, 'inner'), ...changed };
      expect(await scene.call(`POST ${path}`, { ...asServer, params: all, body: {}, ...options })).toEqual(invalid);
    });

    test('a client cannot grant, whatever permissions it has', async () => {
      expect(await grant(team.id, 'me', 'inner', { level: 'client', ...as(team.creator) })).toEqual(serverOnly);
      expect(await revoke(team.id, 'me', 'team_admin', { level: 'client', ...as(team.creator) })).toEqual(serverOnly);
    });

    test('control 92: a grant in a team of another project is refused', async () => {
      const { project } = await openScene(server);
      expect(await grant(team.id, team.member.id, 'team_admin', { project })).toEqual(userNotFound);
      expect(await revoke(team.id, team.member.id, 'team_member', { project })).toEqual(userNotFound);
      expect(await held({ team_id: team.id }, { ...asServer, project })).toEqual(list());
    });
  });

  describe('revoking', () => {
    test('a revoked permission is no longer held, and the revocation is published', async () => {
      const { creator } = team;
      expect(await revoke(team.id, creator.id, 'team_admin', { body: {} })).toEqual(success);
      expect(await held({ user_id: creator.id })).toEqual(list());
      expect(await scene.publishedEvents()).toEqual([
        { type: 'team_permission.deleted', data: item('team_admin', creator) },
      ]);
    });

    test('me is the user of the access token', async () => {
      expect(await revoke(team.id, 'me', 'team_admin', as(team.creator))).toEqual(success);
    });

    test.each(['$delete_team', 'inner', 'reader', 'gone'])('%s is not granted directly', async permission_id => {
      const { creator } = team;
      expect(await revoke(team.id, creator.id, permission_id)).toEqual({
        status: 401,
        code: 'TEAM_PERMISSION_NOT_FOUND',
        details: { team_id: team.id, user_id: creator.id, permission_id },
      });
      expect(await scene.publishedEvents()).toEqual([]);
    });

    test('a permission that is also contained in another grant stays', async () => {
      const { powerless } = team;
      for (const id of ['inner', 'outer', '$read_members']) await grant(team.id, powerless.id, id);
      await revoke(team.id, powerless.id, 'outer');
      await revoke(team.id, powerless.id, 'inner');
      expect(await held({ user_id: powerless.id, recursive: 'true' })).toEqual(list(item('$read_members', powerless)));
    });

    test('an unknown user, a non-member and a missing grant are refused', async () => {
      expect(await revoke(team.id, randomUUID(), 'inner')).toEqual(userNotFound);
      expect(await revoke(team.id, outsider.id, 'inner')).toEqual(notIn(team.id, outsider.id));
      expect(await revoke(team.id, 'me', 'inner')).toEqual(noUser);
      expect(await revoke(team.id, outsider.id, '$own')).toEqual(invalid);
    });

    test('grants are deleted with the membership', async () => {
      const { creator } = team;
      const params = { team_id: team.id, user_id: creator.id };
      await scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...asServer, params });
      await scene.join(team.id, creator);
      expect(await held({ user_id: creator.id })).toEqual(list(item('team_member', creator)));
    });
  });

  describe('listing', () => {
    test('control 102: the permissions of a user in many teams are sent in parts', async () => {
      const { creator } = team;
      const contained_permission_ids = Array.from({ length: 600 }, (_, index) => `held_${index + 100}`);
      await server.deps.db.query(sql`
        insert into permission_definitions (project_id, id, scope)
        select ${scene.project.id}, unnest(${contained_permission_ids}::text[]), 'team'
      `);
      const body = { id: 'many', contained_permission_ids };
      await scene.call('POST /team-permission-definitions', { level: 'admin', body });
      const other = { id: await scene.team(creator) };
      for (const { id } of [team, other]) await grant(id, creator.id, 'many');
      const query = { user_id: 'me', recursive: 'true' };
      const asked = { project: scene.project, accessToken: creator.accessToken, query };
      const response = await server.app(requestOf('GET /team-permissions', asked));
      const parts: Uint8Array[] = [];
      for await (const part of response.body ?? []) parts.push(part);
      expect(parts.length).toBeGreaterThan(1);
      const answer = JSON.parse(Buffer.concat(parts).toString());
      const inTeam = (teamId: string) => answer.items.filter((one: { team_id: string }) => one.team_id === teamId);
      const recursive = 'true';
      expect(await held({ user_id: creator.id, recursive, team_id: team.id })).toEqual(list(...inTeam(team.id)));
      expect(await held({ user_id: creator.id, recursive, team_id: other.id })).toEqual(list(...inTeam(other.id)));
      expect(answer).toEqual({ items: [...answer.items], is_paginated: false });
    });

    test('a server lists all direct grants, sorted by team, user and permission', async () => {
      const other = { id: await scene.team(team.creator) };
      await grant(team.id, team.creator.id, '$update_team');
      const inFirst = [team.creator, team.member].sort(byId).flatMap(person => {
        if (person === team.member) return [item('team_member', person)];
        return [item('$update_team', person), item('team_admin', person)];
      });
      const inOther = [item('team_admin', team.creator, other.id)];
      const expected = team.id < other.id ? [...inFirst, ...inOther] : [...inOther, ...inFirst];
      expect(await held()).toEqual(list(...expected));
      expect(await held({ recursive: 'false' })).toEqual(list(...expected));
      expect(await held({}, { level: 'admin' })).toEqual(list(...expected));
      expect(await held({ team_id: other.id })).toEqual(list(...inOther));
      expect(await held({ team_id: team.id.toUpperCase(), user_id: team.member.id.toUpperCase() })).toEqual(
        list(item('team_member', team.member)),
      );
      expect(await held({ permission_id: 'team_member' })).toEqual(list(item('team_member', team.member)));
    });

    test('recursive adds contained permissions, each once', async () => {
      const { powerless } = team;
      for (const id of ['outer', 'inner']) await grant(team.id, powerless.id, id);
      const all = ['$read_members', 'inner', 'outer'].map(id => item(id, powerless));
      expect(await held({ user_id: powerless.id, recursive: 'true' })).toEqual(list(...all));
      expect(await held({ user_id: powerless.id, recursive: '1' })).toEqual(list(...all));
    });

    test('the permission filter is applied after the expansion', async () => {
      const holders = [team.creator, team.member].sort(byId).map(person => item('$invite_members', person));
      expect(await held({ recursive: 'true', permission_id: '$invite_members' })).toEqual(list(...holders));
      expect(await held({ permission_id: '$invite_members' })).toEqual(list());
    });

    test('grants without a definition in the scope are left out', async () => {
      await scene.may(team.id, team.powerless, ['gone', 'reader', 'inner']);
      const left = list(item('inner', team.powerless));
      expect(await held({ user_id: team.powerless.id })).toEqual(left);
      expect(await held({ user_id: team.powerless.id, recursive: 'true' })).toEqual(left);
    });

    test('the list for an unknown user, team or permission is empty', async () => {
      const unknown: Query[] = [{ user_id: randomUUID() }, { team_id: randomUUID() }, { permission_id: 'gone' }];
      for (const query of unknown) {
        expect(await held(query)).toEqual(list());
      }
    });

    test('a client lists its own permissions, in all teams or in one', async () => {
      const { creator } = team;
      const teams = [team.id, await scene.team(creator)].sort();
      const own = teams.map(teamId => item('team_admin', creator, teamId));
      expect(await held({ user_id: 'me' }, as(creator))).toEqual(list(...own));
      expect(await held({ user_id: creator.id.toUpperCase() }, as(creator))).toEqual(list(...own));
      expect(await held({ user_id: 'me', team_id: team.id }, as(creator))).toEqual(list(item('team_admin', creator)));
      const wanted = { user_id: 'me', recursive: 'true', permission_id: '$delete_team', team_id: team.id };
      expect(await held(wanted, as(creator))).toEqual(list(item('$delete_team', creator)));
      expect(await held(wanted, as(team.member))).toEqual(list());
    });

    test('a client cannot list the permissions of another user or of all users', async () => {
      expect(await held({ user_id: team.member.id }, as(team.creator))).toEqual(sentence(403));
      expect(await held({ team_id: team.id }, as(team.creator))).toEqual(sentence(403));
      expect(await held({}, as(team.creator))).toEqual(sentence(403));
    });

    test('a signed-out client is refused with CANNOT_GET_OWN_USER_WITHOUT_USER', async () => {
      const queries: Query[] = [{ user_id: 'me' }, { user_id: team.creator.id }, {}];
      for (const query of queries) {
        expect(await held(query, as(null))).toEqual(noUser);
      }
      expect(await held({ user_id: 'me' })).toEqual(noUser);
      expect(await held({ user_id: 'me' }, { ...asServer, ...as(team.creator) })).toEqual(
        list(item('team_admin', team.creator)),
      );
    });

    test.each<Query>([
      { user_id: 'x' },
      { team_id: 'me' },
      { permission_id: 'A' },
      { permission_id: '$own' },
      { recursive: 'yes' },
      { limit: '1' },
    ])('%j is refused', async query => {
      expect(await held(query)).toEqual(invalid);
    });
  });
});

describe('permissions in the project', () => {
  const path = '/project-permissions/{user_id}/{permission_id}';
  const grant = (user_id: string, permission_id: string, options: Options = {}) =>
    scene.call(`POST ${path}`, { ...asServer, params: { user_id, permission_id }, body: {}, ...options });
  const revoke = (user_id: string, permission_id: string, options: Options = {}) =>
    scene.call(`DELETE ${path}`, { ...asServer, params: { user_id, permission_id }, ...options });
  const held = (query: Record<string, string> = {}, options: Options = asServer) =>
    scene.call('GET /project-permissions', { ...options, query });
  const item = (id: string, { id: user_id }: Person) => ({ id, user_id });

  test('a granted permission is held at once, and each grant is published', async () => {
    const granted = { status: 201, body: item('editor', outsider) };
    expect(await grant(outsider.id, 'editor')).toEqual(granted);
    expect(await grant(outsider.id.toUpperCase(), 'editor', { level: 'admin' })).toEqual(granted);
    expect(await grant('me', 'editor', as(outsider))).toEqual(granted);
    expect(await held()).toEqual(list(item('editor', outsider)));
    const event = { type: 'project_permission.created', data: item('editor', outsider) };
    expect(await scene.publishedEvents()).toEqual([event, event, event]);
  });

  test('errors of a grant are reported in this order: user, permission, scope', async () => {
    expect(await grant('me', 'editor')).toEqual(noUser);
    expect(await grant(randomUUID(), 'gone')).toEqual(userNotFound);
    expect(await grant(outsider.id, 'gone')).toEqual(notFound('gone'));
    expect(await grant(outsider.id, '$read_members')).toEqual(notFound('$read_members'));
    expect(await grant(outsider.id, 'inner')).toEqual(wrongScope('inner', 'project', 'team'));
    for (const id of ['A', '$own']) expect(await grant(outsider.id, id)).toEqual(invalid);
    expect(await grant('x', 'editor')).toEqual(invalid);
    expect(await grant(outsider.id, 'editor', { body: { a: 1 } })).toEqual(invalid);
    expect(await grant(outsider.id, 'editor', { body: undefined })).toEqual(invalid);
    expect(await grant('me', 'editor', { level: 'client', ...as(outsider) })).toEqual(serverOnly);
    expect(await scene.publishedEvents()).toEqual([]);
    expect(await held()).toEqual(list());
  });

  test('a revoked permission is no longer held, and the revocation is published', async () => {
    for (const id of ['editor', 'reader']) await grant(outsider.id, id);
    await scene.publishedEvents();
    expect(await revoke(outsider.id, 'editor')).toEqual(success);
    expect(await revoke('me', 'reader', as(outsider))).toEqual(success);
    expect(await held()).toEqual(list());
    expect(await scene.publishedEvents()).toEqual([
      { type: 'project_permission.deleted', data: item('editor', outsider) },
      { type: 'project_permission.deleted', data: item('reader', outsider) },
    ]);
  });

  test('only a direct grant can be revoked', async () => {
    await grant(outsider.id, 'editor');
    for (const id of ['reader', 'gone', 'inner', '$read_members']) {
      expect(await revoke(outsider.id, id)).toEqual(notFound(id));
    }
    expect(await revoke(randomUUID(), 'editor')).toEqual(userNotFound);
    expect(await revoke('me', 'editor')).toEqual(noUser);
    expect(await revoke('me', 'editor', { level: 'client', ...as(outsider) })).toEqual(serverOnly);
    expect(await held()).toEqual(list(item('editor', outsider)));
  });

  test('the list is sorted by user and permission, with or without contained permissions', async () => {
    await grant(outsider.id, 'editor');
    await grant(team.creator.id, 'reader');
    await grant(team.creator.id, 'editor');
    const people = [outsider, team.creator].sort(byId);
    const direct = people.flatMap(one =>
      (one === outsider ? ['editor'] : ['editor', 'reader']).map(id => item(id, one)),
    );
    const all = people.flatMap(one => ['editor', 'reader'].map(id => item(id, one)));
    expect(await held()).toEqual(list(...direct));
    expect(await held({ recursive: 'true' })).toEqual(list(...all));
    expect(await held({ permission_id: 'reader' })).toEqual(list(item('reader', team.creator)));
    expect(await held({ permission_id: 'reader', recursive: 'true' })).toEqual(
      list(...people.map(one => item('reader', one))),
    );
    expect(await held({ user_id: outsider.id, recursive: 'true' })).toEqual(
      list(item('editor', outsider), item('reader', outsider)),
    );
    const without: Query[] = [{ user_id: randomUUID() }, { permission_id: '$read_members', recursive: 'true' }];
    for (const query of without) {
      expect(await held(query)).toEqual(list());
    }
  });

  test('a client lists its own permissions only', async () => {
    await grant(outsider.id, 'editor');
    expect(await held({ user_id: 'me' }, as(outsider))).toEqual(list(item('editor', outsider)));
    expect(await held({ user_id: outsider.id }, as(outsider))).toEqual(list(item('editor', outsider)));
    expect(await held({ user_id: outsider.id }, as(team.creator))).toEqual(sentence(403));
    expect(await held({}, as(outsider))).toEqual(sentence(403));
    const queries: Query[] = [{ user_id: 'me' }, { user_id: outsider.id }, {}];
    for (const query of queries) {
      expect(await held(query, as(null))).toEqual(noUser);
    }
    expect(await held({ team_id: team.id })).toEqual(invalid);
  });

  test('control 92: a user of another project is not found', async () => {
    await grant(outsider.id, 'editor');
    const { project } = await openScene(server);
    expect(await grant(outsider.id, 'editor', { project })).toEqual(userNotFound);
    expect(await revoke(outsider.id, 'editor', { project })).toEqual(userNotFound);
    expect(await held({ user_id: outsider.id }, { ...asServer, project })).toEqual(list());
  });

  test('grants without a definition in the scope are left out', async () => {
    const { db } = server.deps;
    for (const id of ['gone', 'inner', 'reader']) {
      await db.query(sql`
        insert into project_permissions (project_id, user_id, permission_id)
        values (${scene.project.id}, ${outsider.id}, ${id})
      `);
    }
    expect(await held({ recursive: 'true' })).toEqual(list(item('reader', outsider)));
  });
});

describe('default permissions', () => {
  test('a new user gets the defaults of the project without a webhook; undefined permissions are skipped', async () => {
    scene = await openScene(server, { userDefaultPermissions: ['reader', 'gone', 'inner', '$read_members'] });
    const [reader, inner] = [{ id: 'reader' }, { id: 'inner' }];
    await scene.call('POST /project-permission-definitions', { level: 'admin', body: reader });
    await scene.call('POST /team-permission-definitions', { level: 'admin', body: inner });
    const person = await scene.person();
    expect(await scene.call('GET /project-permissions', asServer)).toEqual(list({ id: 'reader', user_id: person.id }));
    expect((await scene.publishedEvents()).map(({ type }) => type)).toEqual(['user.created']);
  });

  test('a new member gets the defaults of the project, system permissions too, each published', async () => {
    scene = await openScene(server, {
      teamMemberDefaultPermissions: ['team_member', '$update_team', 'gone', 'reader', 'team_member'],
    });
    await scene.call('POST /project-permission-definitions', { level: 'admin', body: { id: 'reader' } });
    const [teamId, person] = [await scene.team(), await scene.person()];
    await scene.publishedEvents();
    await scene.join(teamId, person);
    const item = (id: string) => ({ id, team_id: teamId, user_id: person.id });
    expect(await scene.call('GET /team-permissions', asServer)).toEqual(
      list(item('$update_team'), item('team_member')),
    );
    expect(await scene.publishedEvents()).toEqual([
      { type: 'team_membership.created', data: { team_id: teamId, user_id: person.id } },
      { type: 'team_permission.created', data: item('team_member') },
      { type: 'team_permission.created', data: item('$update_team') },
    ]);
  });

  test('a creator gets the creator defaults without a webhook, and not those of a member', async () => {
    scene = await openScene(server, {
      teamCreatorDefaultPermissions: ['$update_team', 'gone'],
      teamMemberDefaultPermissions: ['team_member'],
    });
    const person = await scene.person();
    await scene.publishedEvents();
    const teamId = await scene.team(person);
    expect(await scene.call('GET /team-permissions', asServer)).toEqual(
      list({ id: '$update_team', team_id: teamId, user_id: person.id }),
    );
    expect((await scene.publishedEvents()).map(({ type }) => type)).toEqual(['team.created']);
  });
});
