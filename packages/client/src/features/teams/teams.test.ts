import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { watch } from '../../test/readers.ts';
import { list, sent, signedIn, success, teamJson, userJson } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json } from '../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const callbackUrl = 'https://shop.example/verify';

describe('teams', () => {
  const teamRoutes = { 'GET /api/v1/teams': () => list(teamJson) };
  const profile = { team_id: 't1', user_id: 'u', display_name: 'Ada', profile_image_url: null };

  async function withTeam(routes = {}) {
    const all = await signedIn({ ...teamRoutes, ...routes });
    const [team] = await soon(all.user.listTeams());
    if (!team) throw new Error('there is no team');
    all.server.seen.length = 0;
    return { ...all, team };
  }

  test('are listed, and one is found by id', async () => {
    const { user, server } = await signedIn(teamRoutes);
    expect(await soon(user.listTeams())).toMatchObject([{ id: 't1', displayName: 'Crew', profileImageUrl: null }]);
    expect(await soon(user.getTeam('t1'))).toMatchObject({ id: 't1' });
    expect(await soon(user.getTeam('t2'))).toBeNull();
    expect(new Set(sent(server))).toEqual(new Set(['GET /teams?user_id=me']));
  });

  test('a created team is selected, and a user leaves a team', async () => {
    const { user, server } = await signedIn({
      'POST /api/v1/teams': () => json(teamJson),
      'PATCH /api/v1/users/me': () => json(userJson),
      'DELETE /api/v1/team-memberships/t1/me': success,
    });
    const team = await soon(user.createTeam({ displayName: 'Crew' }));
    expect(team).toMatchObject({ id: 't1' });
    await soon(user.leaveTeam(team));
    await soon(user.setSelectedTeam(team));
    await soon(user.setSelectedTeam(null));
    expect(sent(server)).toEqual([
      'POST /teams {"display_name":"Crew","creator_user_id":"me"}',
      'PATCH /users/me {"selected_team_id":"t1"}',
      'DELETE /team-memberships/t1/me',
      'PATCH /users/me {"selected_team_id":"t1"}',
      'PATCH /users/me {"selected_team_id":null}',
    ]);
  });

  test('a created team is in watched lists also when it could not be selected', async () => {
    const { user, server } = await signedIn({
      'GET /api/v1/teams': () => list(),
      'POST /api/v1/teams': () => json(teamJson),
      'PATCH /api/v1/users/me': () => json({}, { status: 500 }),
    });
    const reader = await watch(user, 'listTeams');
    server.routes['GET /api/v1/teams'] = () => list(teamJson);
    await expect(soon(user.createTeam({ displayName: 'Crew' }))).rejects.toThrow();
    expect(reader.peek()).toMatchObject({ data: [{ id: 't1' }] });
  });

  test('the id in place of the team is sent as no id, so that the server refuses it', async () => {
    const { user, server } = await signedIn({ 'PATCH /api/v1/users/me': () => json(userJson) });
    // @ts-expect-error: the parameter is a team. An app in JavaScript can pass the id, which must not clear the selection.
    await soon(user.setSelectedTeam('t1'));
    expect(sent(server)).toEqual(['PATCH /users/me {"selected_team_id":"undefined"}']);
  });

  test('updating or deleting a team updates watched lists', async () => {
    const { user, team, server } = await withTeam({
      'PATCH /api/v1/teams/t1': () => json(teamJson),
      'DELETE /api/v1/teams/t1': success,
    });
    const reader = await watch(user, 'listTeams');
    server.routes['GET /api/v1/teams'] = () => list({ ...teamJson, display_name: 'New' });
    await soon(team.update({ displayName: 'New', profileImageUrl: null, clientMetadata: { a: 1 } }));
    expect(reader.peek()).toMatchObject({ data: [{ displayName: 'New' }] });
    server.routes['GET /api/v1/teams'] = () => list();
    await soon(team.delete());
    expect(reader.peek()).toMatchObject({ data: [] });
    expect(sent(server).filter(request => !request.startsWith('GET'))).toEqual([
      'PATCH /teams/t1 {"display_name":"New","profile_image_url":null,"client_metadata":{"a":1}}',
      'DELETE /teams/t1',
    ]);
  });

  test('invitations are sent, listed and revoked', async () => {
    const { team, server } = await withTeam({
      'POST /api/v1/team-invitations/send-code': () => json({ success: true, id: 'i1' }),
      'GET /api/v1/team-invitations': () =>
        list({ id: 'i1', team_id: 't1', recipient_email: 'b@example.com', expires_at_millis: 9 }),
      'DELETE /api/v1/team-invitations/i1': success,
    });
    await soon(team.inviteUser({ email: 'b@example.com', callbackUrl }));
    const [invitation] = await soon(team.listInvitations());
    expect(invitation).toMatchObject({ id: 'i1', recipientEmail: 'b@example.com', expiresAt: new Date(9) });
    await soon(invitation?.revoke() ?? Promise.reject());
    await expect(team.inviteUser({ email: 'b@example.com' })).rejects.toThrow('callbackUrl');
    expect(sent(server)).toEqual([
      'POST /team-invitations/send-code {"team_id":"t1","email":"b@example.com","callback_url":"https://shop.example/verify"}',
      'GET /team-invitations?team_id=t1',
      'DELETE /team-invitations/i1?team_id=t1',
    ]);
  });

  test('members have profiles, and a user edits their own', async () => {
    const route = 'GET /api/v1/team-member-profiles/t1/me';
    const { team, user, server } = await withTeam({
      'GET /api/v1/team-member-profiles': () => list(profile),
      [route]: () => json(profile),
      'PATCH /api/v1/team-member-profiles/t1/me': () => json(profile),
    });
    expect(await soon(team.listUsers())).toMatchObject([
      { id: 'u', teamProfile: { displayName: 'Ada', profileImageUrl: null } },
    ]);
    const own = await soon(user.getTeamProfile(team));
    expect(own).toMatchObject({ displayName: 'Ada' });
    await soon(own.update({ displayName: 'Captain' }));
    expect(sent(server).at(-1)).toBe('PATCH /team-member-profiles/t1/me {"display_name":"Captain"}');
  });

  test('teams have API keys', async () => {
    const key = { id: 'k1', description: 'ci', type: 'team', team_id: 't1', is_public: false, created_at_millis: 5 };
    const { team, server } = await withTeam({
      'POST /api/v1/team-api-keys': () => json({ ...key, value: 'sk_secret' }),
      'GET /api/v1/team-api-keys': () => list({ ...key, value: { last_four: '1234' } }),
      'PATCH /api/v1/team-api-keys/k1': () => json({ ...key, value: { last_four: '1234' } }),
    });
    expect(await soon(team.createApiKey({ description: 'ci', expiresAt: null }))).toMatchObject({
      value: 'sk_secret',
      type: 'team',
      teamId: 't1',
    });
    const [first] = await soon(team.listApiKeys());
    await soon(first?.revoke() ?? Promise.reject());
    expect(sent(server)).toEqual([
      'POST /team-api-keys {"description":"ci","expires_at_millis":null,"team_id":"t1"}',
      'GET /team-api-keys?team_id=t1',
      'PATCH /team-api-keys/k1?team_id=t1 {"revoked":true}',
    ]);
  });

  test('the selected team has all methods of a team', async () => {
    const selected = { ...userJson, selected_team_id: 't1', selected_team: teamJson };
    const { user } = await signedIn({
      'GET /api/v1/users/me': () => json(selected),
      'GET /api/v1/team-member-profiles': () => list(profile),
    });
    expect(user.selectedTeam).toMatchObject({ id: 't1', displayName: 'Crew' });
    expect(await soon(user.selectedTeam?.listUsers() ?? Promise.reject())).toHaveLength(1);
  });
});
