import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { oneAfterTheOther, startUntilBlocked, whileWaitingToWrite } from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { type InvitationScene, openInvitationScene } from './invitations/invitation-scene.fixtures.ts';
import { as, asServer, type TeamFilled } from './scene.fixtures.ts';

let server: TestServer;
let scene: InvitationScene;
let team: TeamFilled;
let invitationId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ scene, team } = await openInvitationScene(server));
  invitationId = (await scene.invite()).id;
});

const ofTeam = () => ({ team_id: team.id });
const caller = () => ({ team_id: team.id, user_id: team.member.id });
const other = () => ({ team_id: team.id, user_id: team.powerless.id });

const actions = {
  $update_team: {
    'an update of the team': () =>
      scene.call('PATCH /teams/{team_id}', {
        ...as(team.member),
        params: ofTeam(),
        body: { display_name: 'Taken over' },
      }),
  },
  $delete_team: {
    'a deletion of the team': () => scene.call('DELETE /teams/{team_id}', { ...as(team.member), params: ofTeam() }),
  },
  $remove_members: {
    'a removal of a member': () =>
      scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...as(team.member), params: other() }),
    'a removal of a member by the team roles': () =>
      scene.call('DELETE /extensions/teams/{team_id}/members/{user_id}', { ...as(team.member), params: other() }),
    'a revocation of an invitation': () => scene.revoke(invitationId, as(team.member)),
    'a change of a role': () =>
      scene.call('PATCH /extensions/teams/{team_id}/members/{user_id}', {
        ...as(team.member),
        params: other(),
        body: { role_id: 'team_member' },
      }),
  },
  $invite_members: {
    'an invitation': () => scene.send(as(team.member), { email: 'second@example.com' }),
    'an invitation of the team roles': () =>
      scene.call('POST /extensions/teams/{team_id}/invitations', {
        ...as(team.member),
        params: ofTeam(),
        body: { email: 'second@example.com', callback_url: 'http://localhost:3000/join' },
      }),
  },
};

const deleteDefinition = () =>
  scene.call('DELETE /team-permission-definitions/{id}', { level: 'admin', params: { id: 'team_admin' } });

const cases = Object.entries(actions).flatMap(([permission, ofPermission]) =>
  Object.entries(ofPermission).map(([title, act]) => [title, permission, act] as const),
);

/** Everything of the team that the actions change. */
async function stateOfTeam() {
  const [state] = await server.deps.db.query(sql`
    select t.display_name,
      (select array_agg(user_id order by user_id) from team_memberships m where m.team_id = t.id) as members,
      (select array_agg(permission_id order by permission_id) from team_permissions p
        where p.team_id = t.id and p.user_id = ${team.powerless.id}) as permissions,
      (select array_agg(address order by address) from one_time_codes c where c.data ->> 'teamId' = t.id::text) as invited
    from teams t where t.id = ${team.id}
  `);
  return state;
}

/** Starts an action that waits for a row, makes a change, and returns the result of the action. */
async function whileWaiting(act: () => Promise<unknown>, change: () => Promise<unknown>): Promise<unknown> {
  let acting: { readonly answer: Promise<unknown> } | undefined;
  await server.deps.db.begin(async tx => {
    await tx.query(sql`select id from teams where id = ${team.id} for update`);
    await tx.query(sql`select user_id from team_memberships where user_id = ${team.powerless.id} for update`);
    await tx.query(sql`select id from one_time_codes where id = ${invitationId} for update`);
    acting = await startUntilBlocked(server.deps.db, act);
    await change();
  });
  return acting?.answer;
}

describe.each(cases)('control 91: %s that is under way', (_, permission_id, act) => {
  beforeEach(async () => {
    // The permissions of a role contain `$invite_members`.
    const role = permission_id === '$invite_members' ? [] : ['team_member'];
    await scene.may(team.id, team.member, [...role, permission_id]);
  });

  test('is refused when the caller loses the permission', async () => {
    const before = await stateOfTeam();
    const params = { ...caller(), permission_id };
    const lose = () =>
      scene.call('DELETE /team-permissions/{team_id}/{user_id}/{permission_id}', { ...asServer, params });
    const refused = { status: 401, code: 'TEAM_PERMISSION_REQUIRED', details: params };
    expect(await whileWaiting(act, lose)).toEqual(refused);
    expect(await stateOfTeam()).toEqual(before);
  });

  test('ends before the caller loses the permission, when it has passed the checks', async () => {
    const params = { ...caller(), permission_id };
    const lose = () =>
      scene.call('DELETE /team-permissions/{team_id}/{user_id}/{permission_id}', { ...asServer, params });
    const tables = sql`teams, team_memberships, one_time_codes`;
    const { isChangeFirst, action } = await whileWaitingToWrite(server, tables, { action: act, change: lose });
    expect(isChangeFirst).toBe(false);
    // A deletion of a team has several transactions, and the permission may end between them.
    expect([200, permission_id === '$delete_team' ? 401 : 200]).toContain(action.status);
  });

  test('ends before a definition that gives the permission is deleted, when it has passed the checks', async () => {
    await scene.may(team.id, team.member, ['team_admin']);
    const tables = sql`teams, team_memberships, one_time_codes`;
    const outcome = await whileWaitingToWrite(server, tables, { action: act, change: deleteDefinition });
    expect(outcome).toMatchObject({ isChangeFirst: false, change: { status: 200 } });
    expect([200, permission_id === '$delete_team' ? 401 : 200]).toContain(outcome.action.status);
  });

  test('is refused when a definition that gives the permission is deleted', async () => {
    await scene.may(team.id, team.member, ['team_admin']);
    const before = await stateOfTeam();
    const changes = { action: deleteDefinition, change: act };
    const { change } = await whileWaitingToWrite(server, sql`team_permissions`, changes);
    expect(change).toMatchObject({ status: 401, code: 'TEAM_PERMISSION_REQUIRED' });
    expect(await stateOfTeam()).toEqual(before);
  });

  test('is refused when the caller is removed from the team', async () => {
    const remove = () => scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...asServer, params: caller() });
    const refused = { status: 404, code: 'TEAM_MEMBERSHIP_NOT_FOUND', details: caller() };
    expect(await whileWaiting(act, remove)).toEqual(refused);
  });

  test('succeeds when the caller keeps the permission', async () => {
    expect(await whileWaiting(act, async () => undefined)).toMatchObject({ status: 200 });
  });
});

const ownActions = {
  'a creation of a team': () => scene.call('POST /teams', { ...as(team.member), body: { display_name: 'Mine' } }),
  'a change of the own profile in a team': () =>
    scene.call('PATCH /team-member-profiles/{team_id}/{user_id}', {
      ...as(team.member),
      params: caller(),
      body: { display_name: 'Mine' },
    }),
  'the end of the own membership': () =>
    scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...as(team.member), params: caller() }),
};
const allActions = [...cases.map(([title, , act]) => [title, act] as const), ...Object.entries(ownActions)];

describe.each(allActions)('control 91: %s that is under way', (_, act) => {
  const suspend = () =>
    scene.call('PUT /extensions/users/{user_id}/suspension', {
      ...asServer,
      params: { user_id: team.member.id },
      body: {},
    });

  beforeEach(async () => {
    await scene.may(team.id, team.member, ['team_admin']);
  });

  test('is refused when the session of the caller has ended', async () => {
    const before = await stateOfTeam();
    const [, action] = await oneAfterTheOther(server, team.member.id, { first: suspend, second: act });
    expect(action).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
    expect(await stateOfTeam()).toEqual(before);
  });

  test('ends before the session of the caller, when it has passed the checks', async () => {
    const tables = sql`teams, team_memberships, one_time_codes`;
    const { isChangeFirst } = await whileWaitingToWrite(server, tables, { action: act, change: suspend });
    expect(isChangeFirst).toBe(false);
  });
});

test('of two members who remove each other at the same time, one stays', async () => {
  for (const one of [team.member, team.powerless]) await scene.may(team.id, one, ['team_admin']);
  const outcomes = await Promise.all([
    scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...as(team.member), params: other() }),
    scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...as(team.powerless), params: caller() }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect(await scene.memberIds()).toHaveLength(2);
});
