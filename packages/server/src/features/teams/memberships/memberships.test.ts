import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { as, asServer, openScene, type Person, type Scene, type TeamFilled } from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let team: TeamFilled;
let stranger: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  team = await scene.filledTeam();
  stranger = await scene.person();
  await scene.publishedEvents();
});

type Options = Parameters<Scene['call']>[1];

const add = (team_id: string, user_id: string, options: Options = asServer) =>
  scene.call('POST /team-memberships/{team_id}/{user_id}', { body: {}, ...options, params: { team_id, user_id } });
const remove = (team_id: string, user_id: string, options: Options) =>
  scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...options, params: { team_id, user_id } });
const profile = (team_id: string, { id: user_id }: Person) =>
  scene.call('GET /team-member-profiles/{team_id}/{user_id}', { ...asServer, params: { team_id, user_id } });

const success = { status: 200, body: { success: true } };
const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
const noSuchUser = { status: 404, code: 'USER_NOT_FOUND' };
const joined = (team_id: string, user_id: string) => ({ status: 201, body: { team_id, user_id } });
const notIn = (team_id: string, user_id: string) => ({
  status: 404,
  code: 'TEAM_MEMBERSHIP_NOT_FOUND',
  details: { team_id, user_id },
});

describe('adding a member', () => {
  test('a server adds a user, and the membership and its permissions are published', async () => {
    expect(await add(team.id, stranger.id)).toEqual(joined(team.id, stranger.id));
    const data = { team_id: team.id, user_id: stranger.id };
    expect(await scene.publishedEvents()).toEqual([
      { type: 'team_membership.created', data },
      { type: 'team_permission.created', data: { id: 'team_member', ...data } },
    ]);
  });

  test('every default permission is published in the order of the set; deleted permissions are skipped', async () => {
    scene = await openScene(server, {
      teamMemberDefaultPermissions: ['team_member', 'gone', '$update_team', 'team_admin'],
    });
    const [id, user] = [await scene.team(), await scene.person()];
    await scene.publishedEvents();
    expect(await add(id, user.id)).toEqual(joined(id, user.id));
    const data = { team_id: id, user_id: user.id };
    expect(await scene.publishedEvents()).toEqual([
      { type: 'team_membership.created', data },
      { type: 'team_permission.created', data: { id: 'team_member', ...data } },
      { type: 'team_permission.created', data: { id: '$update_team', ...data } },
      { type: 'team_permission.created', data: { id: 'team_admin', ...data } },
    ]);
  });

  test('without default permissions only the membership is published', async () => {
    scene = await openScene(server, { teamMemberDefaultPermissions: [] });
    const [id, user] = [await scene.team(), await scene.person()];
    await scene.publishedEvents();
    await add(id, user.id);
    const data = { team_id: id, user_id: user.id };
    expect(await scene.publishedEvents()).toEqual([{ type: 'team_membership.created', data }]);
  });

  test('a user can be added as me, by an id in upper case, and by an admin', async () => {
    expect(await add(team.id, 'me', { ...asServer, ...as(stranger) })).toEqual(joined(team.id, stranger.id));
    const [two, three] = [await scene.person(), await scene.person()];
    expect(await add(team.id.toUpperCase(), two.id.toUpperCase())).toEqual(joined(team.id, two.id));
    expect(await add(team.id, three.id, { level: 'admin' })).toEqual(joined(team.id, three.id));
    expect(await add(team.id, 'me')).toEqual(noUser);
  });

  test('an unknown user is reported before an unknown team, and both before an existing membership', async () => {
    const [noId, noTeamId] = [randomUUID(), randomUUID()];
    expect(await add(noTeamId, noId)).toEqual(noSuchUser);
    expect(await add(team.id, noId)).toEqual(noSuchUser);
    expect(await add(noTeamId, stranger.id)).toEqual({
      status: 404,
      code: 'TEAM_NOT_FOUND',
      details: { team_id: noTeamId },
    });
    expect(await add(team.id, team.member.id)).toEqual({ status: 409, code: 'TEAM_MEMBERSHIP_ALREADY_EXISTS' });
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 92: users and teams of another project are not found', async () => {
    const other = await openScene(server);
    const [foreigner, foreignTeam] = [await other.person(), await other.team()];
    expect(await add(team.id, foreigner.id)).toEqual(noSuchUser);
    expect(await add(foreignTeam, stranger.id)).toEqual(expect.objectContaining({ code: 'TEAM_NOT_FOUND' }));
  });

  test('control 91: a client cannot add a member', async () => {
    const details = { actual_access_type: 'client', allowed_access_types: ['server', 'admin'] };
    const refused = { status: 401, code: 'INSUFFICIENT_ACCESS_TYPE', details };
    expect(await add(team.id, stranger.id, as(team.creator))).toEqual(refused);
    expect(await add(team.id, stranger.id, {})).toEqual(refused);
  });

  test.each([
    ['no body', undefined],
    ['a key', { role: 'admin' }],
    ['an array', []],
  ])('%s does not fit', async (_, body) => {
    expect(await add(team.id, stranger.id, { ...asServer, body })).toEqual(
      expect.objectContaining({ code: 'SCHEMA_ERROR' }),
    );
  });
});

describe('ending a membership', () => {
  test('a member leaves without any permission, as me or by id', async () => {
    expect(await remove(team.id, 'me', as(team.powerless))).toEqual(success);
    expect(await remove(team.id, team.member.id.toUpperCase(), as(team.member))).toEqual(success);
    const gone = (user: Person) => ({ type: 'team_membership.deleted', data: { team_id: team.id, user_id: user.id } });
    expect(await scene.publishedEvents()).toEqual([gone(team.powerless), gone(team.member)]);
    expect(await profile(team.id, team.powerless)).toEqual(notIn(team.id, team.powerless.id));
  });

  test('control 91: a client needs $remove_members to remove another member', async () => {
    expect(await remove(team.id, team.powerless.id, as(team.member))).toEqual({
      status: 401,
      code: 'TEAM_PERMISSION_REQUIRED',
      details: { team_id: team.id, user_id: team.member.id, permission_id: '$remove_members' },
    });
    expect(await remove(team.id, team.powerless.id, as(stranger))).toEqual(notIn(team.id, stranger.id));
    expect(await remove(team.id, team.powerless.id, {})).toEqual(noUser);
    expect(await remove(team.id, 'me', {})).toEqual(noUser);
    expect(await scene.publishedEvents()).toEqual([]);
    expect(await remove(team.id, team.powerless.id, as(team.creator))).toEqual(success);
    await scene.may(team.id, team.member, ['$remove_members']);
    expect(await remove(team.id, team.creator.id, as(team.member))).toEqual(success);
    expect(await remove(team.id, team.member.id, asServer)).toEqual(success);
  });

  test('a team without members is kept', async () => {
    for (const { id } of [team.powerless, team.member, team.creator]) await remove(team.id, id, { level: 'admin' });
    const left = await scene.call('GET /team-member-profiles', { ...asServer, query: { team_id: team.id } });
    expect(left).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });

  test('an unknown user, team or membership is refused', async () => {
    const [noId, noTeamId] = [randomUUID(), randomUUID()];
    for (const options of [as(team.creator), asServer]) {
      expect(await remove(team.id, stranger.id, options)).toEqual(notIn(team.id, stranger.id));
      expect(await remove(team.id, noId, options)).toEqual(noSuchUser);
    }
    expect(await remove(noTeamId, stranger.id, asServer)).toEqual(notIn(noTeamId, stranger.id));
    expect(await remove(noTeamId, stranger.id, as(team.creator))).toEqual(notIn(noTeamId, team.creator.id));
    expect(await remove(team.id, 'me', as(stranger))).toEqual(notIn(team.id, stranger.id));
    expect(await scene.publishedEvents()).toEqual([]);
  });

  test('control 92: a team of another project is not found at any level', async () => {
    const other = await openScene(server);
    const foreign = await other.filledTeam();
    expect(await remove(foreign.id, foreign.member.id, asServer)).toEqual(noSuchUser);
    expect(await remove(foreign.id, stranger.id, as(stranger))).toEqual(notIn(foreign.id, stranger.id));
    expect(
      await other.call('GET /teams/{team_id}', { ...as(foreign.member), params: { team_id: foreign.id } }),
    ).toEqual(expect.objectContaining({ status: 200 }));
  });

  test('permissions, profile and selection are deleted, and are not restored by joining again', async () => {
    const params = { team_id: team.id, user_id: team.member.id };
    const override = { ...asServer, params, body: { display_name: 'Override' } };
    await scene.call('PATCH /team-member-profiles/{team_id}/{user_id}', override);
    const select = { ...as(team.member), body: { selected_team_id: team.id } };
    await scene.call('PATCH /users/me', select);
    await scene.may(team.id, team.member, ['$update_team']);
    await remove(team.id, team.member.id, asServer);
    await add(team.id, team.member.id);
    expect(await profile(team.id, team.member)).toEqual({
      status: 200,
      body: expect.objectContaining({
        display_name: null,
        user: expect.objectContaining({ selected_team_id: null, selected_team: null }),
      }),
    });
    const update = { ...as(team.member), params: { team_id: team.id }, body: {} };
    expect(await scene.call('PATCH /teams/{team_id}', update)).toEqual(
      expect.objectContaining({ code: 'TEAM_PERMISSION_REQUIRED' }),
    );
  });

  test('another selected team stays selected', async () => {
    const other = await scene.team(team.member);
    await scene.call('PATCH /users/me', { ...as(team.member), body: { selected_team_id: other } });
    await remove(team.id, 'me', as(team.member));
    const me = await scene.call('GET /users/me', as(team.member));
    expect(me).toEqual({ status: 200, body: expect.objectContaining({ selected_team_id: other }) });
  });
});

describe('concurrent calls', () => {
  const statuses = (outcomes: readonly { status: number }[]) => outcomes.map(({ status }) => status).sort();

  test('of two servers that add one member, one succeeds', async () => {
    const outcomes = await Promise.all([add(team.id, stranger.id), add(team.id, stranger.id)]);
    expect(outcomes).toContainEqual(joined(team.id, stranger.id));
    expect(outcomes).toContainEqual({ status: 409, code: 'TEAM_MEMBERSHIP_ALREADY_EXISTS' });
    expect(await scene.publishedEvents()).toHaveLength(2);
  });

  test('of two servers that remove one member, one succeeds', async () => {
    const outcomes = await Promise.all([1, 2].map(() => remove(team.id, team.member.id, asServer)));
    expect(statuses(outcomes)).toEqual([200, 404]);
    expect(await scene.publishedEvents()).toHaveLength(1);
  });

  test('deleting the team while members join and leave causes no 5xx', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => scene.person()));
    const joining = people.map(({ id }) => add(team.id, id));
    const leaving = [team.member, team.powerless].map(person => remove(team.id, 'me', as(person)));
    const deleting = scene.call('DELETE /teams/{team_id}', { ...asServer, params: { team_id: team.id } });
    const outcomes = await Promise.all([...joining, deleting, ...leaving]);
    expect(outcomes.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([]);
    const left = await scene.call('GET /team-member-profiles', asServer);
    expect(left).toEqual({ status: 200, body: { items: [], is_paginated: false } });
  });

  test('deleting the user while it is added causes no 5xx', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => scene.team()));
    const deleting = scene.call('DELETE /users/{user_id}', { ...asServer, params: { user_id: stranger.id } });
    const outcomes = await Promise.all([...ids.map(id => add(id, stranger.id)), deleting]);
    expect(outcomes.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([]);
    const query = { user_id: stranger.id };
    expect(await scene.call('GET /team-member-profiles', { ...asServer, query })).toEqual(noSuchUser);
  });
});
