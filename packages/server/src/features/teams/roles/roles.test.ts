import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { startUntilBlocked } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { readTeamGrants } from '../../permissions/index.ts';
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
  await server.mailbox();
  scene = await openScene(server, { allowLocalhost: true });
  team = await scene.filledTeam();
  stranger = await scene.person({ display_name: 'Stranger' });
  await scene.publishedEvents();
});

const email = 'guest@example.com';
const callback_url = 'http://localhost:3000/join';
const success = { status: 200, body: { success: true } };

const members = (person: Person, query: object = {}) =>
  scene.call('GET /extensions/teams/{team_id}/members', {
    ...as(person),
    params: { team_id: team.id },
    query: { ...query },
  });
const change = (person: Person, { id }: Person, role_id: string) =>
  scene.call('PATCH /extensions/teams/{team_id}/members/{user_id}', {
    ...as(person),
    params: { team_id: team.id, user_id: id },
    body: { role_id },
  });
const remove = (person: Person, user_id: string, query: Record<string, string> = {}) =>
  scene.call('DELETE /extensions/teams/{team_id}/members/{user_id}', {
    ...as(person),
    params: { team_id: team.id, user_id },
    query,
  });
const invite = (person: Person, body: object = {}) =>
  scene.call('POST /extensions/teams/{team_id}/invitations', {
    ...as(person),
    params: { team_id: team.id },
    body: { email, callback_url, ...body },
  });
const read = (code: string) => scene.call('POST /extensions/team-invitations/read', { body: { code } });
const accept = (code: string, person: Person) =>
  scene.call('POST /team-invitations/accept', { ...as(person), body: { code } });

/** The direct permissions of each member, by user id. */
async function granted({ id }: Person): Promise<string[]> {
  const outcome = await scene.call('GET /team-permissions', { ...asServer, query: { team_id: team.id, user_id: id } });
  return (outcome as unknown as { body: { items: { id: string }[] } }).body.items.map(item => item.id);
}

async function invitedCode(person: Person, body: object = {}): Promise<string> {
  await invite(person, body);
  const [received] = await scene.receivedEmails();
  return received?.code ?? '';
}

const lastAdmin = ({ id }: Person) => ({
  status: 409,
  code: 'LAST_TEAM_ADMIN',
  details: { team_id: team.id, user_id: id },
});
const notAssignable = (permission_id: string) => ({
  status: 403,
  code: 'TEAM_ROLE_NOT_ASSIGNABLE',
  details: { team_id: team.id, permission_id },
});
const mayNot = ({ id: user_id }: Person, permission_id: string) => ({
  status: 401,
  code: 'TEAM_PERMISSION_REQUIRED',
  details: { team_id: team.id, user_id, permission_id },
});

const setRoles = (permission_ids: string[]) =>
  scene.call('PATCH /internal/extensions/team-roles', { level: 'admin', body: { permission_ids } });

describe('members with roles', () => {
  test('an administrator sees all members with roles, and the roles that can be given', async () => {
    const outcome = await members(team.creator);
    expect(outcome).toMatchObject({
      status: 200,
      body: {
        items: expect.arrayContaining([
          expect.objectContaining({ user_id: team.creator.id, role_ids: ['team_admin'] }),
          expect.objectContaining({ user_id: team.member.id, role_ids: ['team_member'] }),
          expect.objectContaining({ user_id: team.powerless.id, role_ids: [] }),
        ]),
        pagination: { next_cursor: null },
        roles: [
          { id: 'team_admin', description: 'Manage the team and its members', is_assignable: true },
          { id: 'team_member', description: expect.any(String), is_assignable: true },
        ],
        needs_successor: true,
      },
    });
  });

  test('an ordinary member sees the own address only, and can give the own role only', async () => {
    scene = await openScene(server, { allowLocalhost: true });
    const [ada, grace] = [
      await scene.person({ primary_email: 'ada@example.com' }),
      await scene.person({ primary_email: 'grace@example.com' }),
    ];
    const id = await scene.team(ada);
    await scene.join(id, grace);
    team = { ...team, id };
    const seen = (outcome: unknown) =>
      (outcome as { body: { items: { primary_email: string | null }[] } }).body.items.map(item => item.primary_email);
    expect(seen(await members(ada)).sort()).toEqual(['ada@example.com', 'grace@example.com']);
    expect(seen(await members(grace)).sort()).toEqual(['grace@example.com', null]);
    expect(await members(grace)).toMatchObject({
      body: {
        roles: [
          { id: 'team_admin', is_assignable: false },
          { id: 'team_member', is_assignable: true },
        ],
        needs_successor: false,
      },
    });
  });

  test('pages follow each other by cursor, and each member is on one of them', async () => {
    const page = async (query: object) =>
      (await members(team.creator, query)) as unknown as {
        body: { items: { user_id: string }[]; pagination: { next_cursor: string | null } };
      };
    const { body: first } = await page({ limit: '2' });
    const { body: second } = await page({ limit: '2', cursor: first.pagination.next_cursor });
    expect(second.pagination.next_cursor).toBeNull();
    const seen = [...first.items, ...second.items].map(({ user_id }) => user_id);
    expect(seen.sort()).toEqual([team.creator.id, team.member.id, team.powerless.id].sort());
  });

  test('the permissions of the asked members are read, not those of the whole team', async () => {
    const asked = { teamId: team.id, userIds: [team.member.id, team.powerless.id] };
    const { direct } = await readTeamGrants(server.deps.db, scene.project.id, asked);
    expect(Object.fromEntries(direct)).toEqual({ [team.member.id]: ['team_member'], [team.powerless.id]: [] });
  });

  test('a member without $read_members and a user outside of the team see no members', async () => {
    expect(await members(team.powerless)).toEqual(mayNot(team.powerless, '$read_members'));
    expect(await members(stranger)).toMatchObject({ status: 404, code: 'TEAM_MEMBERSHIP_NOT_FOUND' });
  });
});

describe('a change of role', () => {
  test('replaces the roles, keeps other permissions, and is published', async () => {
    await scene.may(team.id, team.member, ['team_member', '$update_team']);
    expect(await change(team.creator, team.member, 'team_admin')).toEqual(success);
    expect(await granted(team.member)).toEqual(['$update_team', 'team_admin']);
    const data = { team_id: team.id, user_id: team.member.id };
    expect(await scene.publishedEvents()).toEqual([
      { type: 'team_permission.deleted', data: { id: 'team_member', ...data } },
      { type: 'team_permission.created', data: { id: 'team_admin', ...data } },
    ]);
  });

  test('needs $invite_members and $remove_members', async () => {
    expect(await change(team.member, team.powerless, 'team_member')).toEqual(mayNot(team.member, '$remove_members'));
  });

  test('control 91: a member can neither give nor take away a role above the own permissions', async () => {
    await scene.may(team.id, team.member, ['$invite_members', '$read_members', '$remove_members', 'team_member']);
    expect(await change(team.member, team.powerless, 'team_member')).toEqual(success);
    expect(await change(team.member, team.powerless, 'team_admin')).toEqual(notAssignable('team_admin'));
    expect(await change(team.member, team.member, 'team_admin')).toEqual(notAssignable('team_admin'));
    expect(await change(team.member, team.creator, 'team_member')).toEqual(notAssignable('team_admin'));
    expect(await granted(team.creator)).toEqual(['team_admin']);
  });

  test('a permission that is not a role of the project is refused', async () => {
    expect(await change(team.creator, team.member, '$update_team')).toEqual(notAssignable('$update_team'));
    expect(await change(team.creator, team.member, 'unknown')).toEqual(notAssignable('unknown'));
  });

  test('the last administrator cannot give the role up', async () => {
    expect(await change(team.creator, team.creator, 'team_member')).toEqual(lastAdmin(team.creator));
    await change(team.creator, team.member, 'team_admin');
    expect(await change(team.creator, team.creator, 'team_member')).toEqual(success);
  });

  test('a user who is not a member has no role', async () => {
    expect(await change(team.creator, stranger, 'team_member')).toMatchObject({ code: 'TEAM_MEMBERSHIP_NOT_FOUND' });
  });

  test('the roles of a project are those of its setting, without deleted permissions', async () => {
    await scene.call('POST /team-permission-definitions', { level: 'admin', body: { id: 'gone' } });
    await setRoles(['team_admin', '$update_team', 'gone']);
    await scene.call('DELETE /team-permission-definitions/{id}', {
      level: 'admin',
      params: { id: 'gone' },
    });
    expect(await members(team.creator)).toMatchObject({
      body: { roles: [{ id: 'team_admin' }, { id: '$update_team' }] },
    });
    expect(await change(team.creator, team.member, '$update_team')).toEqual(success);
    expect(await granted(team.member)).toEqual(['$update_team', 'team_member']);
  });

  test('a renamed permission stays a role, so the holders of the next role do not become administrators', async () => {
    const rename = (id: string, to: string) =>
      scene.call('PATCH /team-permission-definitions/{id}', { level: 'admin', params: { id }, body: { id: to } });
    for (const [from, to] of [
      ['team_admin', 'root'],
      ['root', 'owner'],
    ] as const) {
      expect(await rename(from, to)).toMatchObject({ status: 200 });
      expect(await members(team.creator)).toMatchObject({
        body: { roles: [{ id: to }, { id: 'team_member' }], needs_successor: true },
      });
      expect(await remove(team.creator, 'me')).toEqual(lastAdmin(team.creator));
      expect(await change(team.member, team.powerless, to)).toMatchObject({ status: 401 });
    }
  });

  test('the setting refuses a permission that the project does not have as a team permission', async () => {
    await scene.call('POST /project-permission-definitions', { level: 'admin', body: { id: 'of_project' } });
    expect(await setRoles(['nothing'])).toMatchObject({ code: 'PERMISSION_NOT_FOUND' });
    expect(await setRoles(['of_project'])).toMatchObject({ code: 'WRONG_PERMISSION_SCOPE' });
    expect(await setRoles(['team_member'])).toMatchObject({ status: 200 });
  });

  test('without roles there is no last administrator', async () => {
    await setRoles([]);
    expect(await members(team.creator)).toMatchObject({ body: { roles: [], needs_successor: false } });
    expect(await remove(team.creator, 'me')).toEqual(success);
  });
});

describe('the end of a membership', () => {
  test('the last administrator leaves only with a successor, who becomes an administrator', async () => {
    expect(await remove(team.creator, 'me')).toEqual(lastAdmin(team.creator));
    expect(await remove(team.creator, 'me', { successor_user_id: team.creator.id })).toEqual(lastAdmin(team.creator));
    const notMember = await remove(team.creator, 'me', { successor_user_id: stranger.id });
    expect(notMember).toMatchObject({ code: 'TEAM_MEMBERSHIP_NOT_FOUND' });
    expect(await remove(team.creator, 'me', { successor_user_id: team.member.id })).toEqual(success);
    expect(await granted(team.member)).toEqual(['team_admin', 'team_member']);
    expect(await members(team.creator)).toMatchObject({ code: 'TEAM_MEMBERSHIP_NOT_FOUND' });
  });

  test('a member with $remove_members removes others, but not the last administrator', async () => {
    await scene.may(team.id, team.member, ['$remove_members']);
    expect(await remove(team.member, team.creator.id)).toEqual(lastAdmin(team.creator));
    expect(await remove(team.member, team.creator.id, { successor_user_id: team.member.id })).toEqual(
      lastAdmin(team.creator),
    );
    expect(await remove(team.member, team.powerless.id)).toEqual(success);
    expect(await remove(team.member, team.powerless.id)).toMatchObject({ code: 'TEAM_MEMBERSHIP_NOT_FOUND' });
  });

  test('an ordinary member leaves, and cannot remove others', async () => {
    expect(await remove(team.member, team.powerless.id)).toEqual(mayNot(team.member, '$remove_members'));
    expect(await remove(team.member, 'me')).toEqual(success);
  });

  test('two administrators who leave at the same time: one of them stays', async () => {
    await change(team.creator, team.member, 'team_admin');
    const outcomes = await Promise.all([remove(team.creator, 'me'), remove(team.member, 'me')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('an administrator leaves when another member holds a permission that contains the first role', async () => {
    const body = { id: 'owner', contained_permission_ids: ['team_admin'] };
    await scene.call('POST /team-permission-definitions', { level: 'admin', body });
    expect(await members(team.creator)).toMatchObject({ body: { needs_successor: true } });
    await scene.may(team.id, team.member, ['owner']);
    expect(await members(team.creator)).toMatchObject({ body: { needs_successor: false } });
    expect(await remove(team.creator, 'me')).toEqual(success);
    expect(await members(team.member)).toMatchObject({ body: { needs_successor: true } });
  });

  test('the only member leaves without a successor', async () => {
    for (const one of [team.member, team.powerless]) await remove(team.creator, one.id);
    expect(await remove(team.creator, 'me')).toEqual(success);
  });
});

describe('an invitation with a role', () => {
  test('gives the role instead of the default one', async () => {
    const code = await invitedCode(team.creator, { role_id: 'team_admin' });
    expect(await accept(code, stranger)).toEqual({ status: 200, body: {} });
    expect(await granted(stranger)).toEqual(['team_admin']);
  });

  test('gives the default permissions when the inviter has ceased to be an administrator', async () => {
    const code = await invitedCode(team.creator, { role_id: 'team_admin' });
    await scene.may(team.id, team.creator, ['team_member']);
    await accept(code, stranger);
    expect(await granted(stranger)).toEqual(['team_member']);
  });

  test('gives the default permissions when the inviter concurrently ceases to be an administrator', async () => {
    const code = await invitedCode(team.creator, { role_id: 'team_admin' });
    let accepting: { readonly answer: Promise<unknown> } | undefined;
    await server.deps.db.begin(async tx => {
      const ofInviter = sql`team_id = ${team.id} and user_id = ${team.creator.id}`;
      await tx.query(sql`select user_id from team_memberships where ${ofInviter} for no key update`);
      await tx.query(sql`delete from team_permissions where ${ofInviter}`);
      accepting = await startUntilBlocked(server.deps.db, () => accept(code, stranger));
    });
    expect(await accepting?.answer).toEqual({ status: 200, body: {} });
    expect(await granted(stranger)).toEqual(['team_member']);
  });

  test('control 91: a member cannot invite into a role above the own permissions', async () => {
    expect(await invite(team.member, { role_id: 'team_admin' })).toEqual(notAssignable('team_admin'));
    expect(await invite(team.member, { role_id: 'team_member' })).toEqual({ status: 200, body: { id: anId } });
    expect(await invite(team.powerless)).toEqual(mayNot(team.powerless, '$invite_members'));
    const untrusted = await invite(team.creator, { callback_url: 'https://evil.example/' });
    expect(untrusted).toMatchObject({ code: 'REDIRECT_URL_NOT_WHITELISTED' });
  });

  test('control 91: ends with a change of role, so that a demoted member cannot leave and come back', async () => {
    const guest = await scene.person({ primary_email: email, primary_email_verified: true });
    const first = await invitedCode(team.creator, { role_id: 'team_admin' });
    const second = await invitedCode(team.creator, { role_id: 'team_admin' });
    await accept(first, guest);
    expect(await change(team.creator, guest, 'team_member')).toEqual(success);
    expect(await accept(second, guest)).toMatchObject({ code: 'VERIFICATION_CODE_NOT_FOUND' });
    expect(await granted(guest)).toEqual(['team_member']);
  });

  test('control 91: a member who was removed cannot come back with an older invitation', async () => {
    const [first, second] = [await invitedCode(team.creator), await invitedCode(team.creator)];
    await accept(first, stranger);
    expect(await remove(team.creator, stranger.id)).toEqual(success);
    expect(await accept(second, stranger)).toMatchObject({ code: 'VERIFICATION_CODE_NOT_FOUND' });
    expect(await accept(await invitedCode(team.creator), stranger)).toEqual({ status: 200, body: {} });
  });

  test('control 91: ends with the suspension of the inviter, and an accepted one stays', async () => {
    const [first, second] = [await invitedCode(team.creator), await invitedCode(team.creator)];
    await accept(first, stranger);
    const suspended = { ...asServer, params: { user_id: team.creator.id }, body: {} };
    expect(await scene.call('PUT /extensions/users/{user_id}/suspension', suspended)).toMatchObject({ status: 200 });
    expect(await read(second)).toMatchObject({ code: 'VERIFICATION_CODE_NOT_FOUND' });
    expect(await read(first)).toMatchObject({ code: 'VERIFICATION_CODE_ALREADY_USED' });
  });

  test('is listed with role and inviter', async () => {
    await scene.call('PATCH /users/me', { ...as(team.creator), body: { display_name: 'Ada' } });
    await invite(team.creator, { role_id: 'team_admin' });
    const listed = await scene.call('GET /extensions/teams/{team_id}/invitations', {
      ...as(team.member),
      params: { team_id: team.id },
    });
    const expires_at_millis = expect.any(Number);
    expect(listed).toEqual({
      status: 200,
      body: {
        items: [{ id: anId, recipient_email: email, role_id: 'team_admin', invited_by: 'Ada', expires_at_millis }],
        is_paginated: false,
      },
    });
  });

  test('says in its email and to a signed-out visitor who invites to what', async () => {
    await scene.call('PATCH /users/me', { ...as(team.creator), body: { display_name: 'Ada https://evil.example' } });
    await invite(team.creator, { role_id: 'team_admin' });
    const [received] = await scene.receivedEmails();
    expect(received?.text).toContain('Ada evil. example invited you to the team Engines');
    expect(received?.text).toContain(`It was sent to ${email}.`);
    expect(await read(received?.code ?? '')).toEqual({
      status: 200,
      body: {
        team_id: team.id,
        team_display_name: 'Engines',
        team_profile_image_url: null,
        invited_by: 'Ada https://evil.example',
        recipient_email: email,
        role_id: 'team_admin',
        expires_at_millis: expect.any(Number),
      },
    });
  });

  test('cannot be read with a wrong, used or revoked code, or after the deletion of the team', async () => {
    expect(await read('0'.repeat(45))).toMatchObject({ code: 'VERIFICATION_CODE_NOT_FOUND' });
    const code = await invitedCode(team.creator);
    await accept(code, stranger);
    expect(await read(code)).toMatchObject({ code: 'VERIFICATION_CODE_ALREADY_USED' });
    const other = await invitedCode(team.creator, { email: 'other@example.com' });
    await scene.call('DELETE /teams/{team_id}', { ...asServer, params: { team_id: team.id } });
    expect(await read(other)).toMatchObject({ code: 'TEAM_NOT_FOUND' });
  });
});
