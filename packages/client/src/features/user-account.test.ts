import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readOfEntity } from '../test/readers.ts';
import { levels, list, sent, signedIn, success, teamJson, userJson } from '../test/signed-in.ts';
import { soon } from '../test/soon.ts';
import { json, knownError, text } from '../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const callbackUrl = 'https://shop.example/verify';

/** Watches a read of an object, as a hook does. */
async function watch(object: object, name: string) {
  const reader = readOfEntity(object, name).reader();
  reader.subscribe(() => {});
  await soon(reader.promise());
  return reader;
}

describe('contact channels', () => {
  const channel = {
    user_id: userJson.id,
    id: 'c1',
    value: 'ada@example.com',
    type: 'email',
    used_for_auth: true,
    is_verified: false,
    is_primary: true,
  };
  const path = 'contact-channels/me/c1';

  test('are listed, added, changed and removed', async () => {
    const { user, server } = await signedIn({
      'GET /api/v1/contact-channels': () => list(channel),
      'POST /api/v1/contact-channels': () => json({ ...channel, id: 'c2', value: 'b@example.com' }),
      [`PATCH /api/v1/${path}`]: () => json(channel),
      [`DELETE /api/v1/${path}`]: success,
    });
    const [first] = await soon(user.listContactChannels());
    expect(first).toMatchObject({
      id: 'c1',
      value: 'ada@example.com',
      type: 'email',
      usedForAuth: true,
      isVerified: false,
      isPrimary: true,
    });
    const created = user.createContactChannel({ value: 'b@example.com', type: 'email', usedForAuth: false });
    expect(await soon(created)).toMatchObject({ id: 'c2', value: 'b@example.com' });
    await soon(first?.update({ isPrimary: true, usedForAuth: false, value: 'c@example.com' }) ?? Promise.reject());
    await soon(first?.delete() ?? Promise.reject());
    expect(sent(server)).toEqual([
      'GET /contact-channels?user_id=me',
      'POST /contact-channels {"user_id":"me","type":"email","value":"b@example.com","used_for_auth":false}',
      `PATCH /${path} {"value":"c@example.com","used_for_auth":false,"is_primary":true}`,
      `DELETE /${path}`,
    ]);
    expect(new Set(levels(server))).toEqual(new Set(['client']));
  });

  test('a mail is sent to one; that it is verified already is well', async () => {
    const route = `POST /api/v1/${path}/send-verification-code`;
    const { user, server } = await signedIn({
      'GET /api/v1/contact-channels': () => list(channel),
      [route]: success,
    });
    const [first] = await soon(user.listContactChannels());
    await soon(first?.sendVerificationEmail({ callbackUrl }) ?? Promise.reject());
    expect(server.to(route)[0]?.body).toBe('{"callback_url":"https://shop.example/verify"}');
    server.routes[route] = () => knownError('EMAIL_ALREADY_VERIFIED', 409);
    await soon(first?.sendVerificationEmail({ callbackUrl }) ?? Promise.reject());
    server.routes[route] = () => knownError('REDIRECT_URL_NOT_WHITELISTED', 400);
    await expect(soon(first?.sendVerificationEmail({ callbackUrl }) ?? Promise.resolve())).rejects.toMatchObject({
      errorCode: 'REDIRECT_URL_NOT_WHITELISTED',
    });
  });

  test('whoever watches them sees a change, and so does whoever watches the user', async () => {
    const { user, server } = await signedIn({
      'GET /api/v1/contact-channels': () => list(channel),
      'POST /api/v1/contact-channels': () => json(channel),
    });
    const channels = await watch(user, 'listContactChannels');
    server.routes['GET /api/v1/contact-channels'] = () => list(channel, { ...channel, id: 'c2' });
    await soon(user.createContactChannel({ value: 'b@example.com', type: 'email', usedForAuth: false }));
    expect(channels.peek()).toMatchObject({ data: [{ id: 'c1' }, { id: 'c2' }] });
  });
});

describe('the password', () => {
  test('is changed, or the reason returned', async () => {
    const route = 'POST /api/v1/auth/password/update';
    const { user, server } = await signedIn({ [route]: success });
    const change = () => user.updatePassword({ oldPassword: 'old one', newPassword: 'new one' });
    expect(await soon(change())).toBeUndefined();
    expect(sent(server)).toEqual(['POST /auth/password/update {"old_password":"old one","new_password":"new one"}']);
    expect(server.seen[0]?.headers.get('x-stack-refresh-token')).toBe('r');
    for (const code of ['PASSWORD_CONFIRMATION_MISMATCH', 'PASSWORD_TOO_SHORT', 'PASSWORD_REQUIREMENTS_NOT_MET']) {
      server.routes[route] = () => knownError(code, 400, code === 'PASSWORD_TOO_SHORT' ? { min_length: 8 } : undefined);
      expect(await soon(change())).toMatchObject({ errorCode: code });
    }
    server.routes[route] = () => knownError('USER_DOES_NOT_HAVE_PASSWORD', 400);
    await expect(soon(change())).rejects.toMatchObject({ errorCode: 'USER_DOES_NOT_HAVE_PASSWORD' });
  });

  test('a first one is set, or the reason returned', async () => {
    const route = 'POST /api/v1/auth/password/set';
    const { user, server } = await signedIn({ [route]: success });
    expect(await soon(user.setPassword({ password: 'new one' }))).toBeUndefined();
    expect(sent(server)).toEqual(['POST /auth/password/set {"password":"new one"}']);
    server.routes[route] = () => knownError('PASSWORD_TOO_SHORT', 400, { min_length: 8 });
    expect(await soon(user.setPassword({ password: 'x' }))).toMatchObject({ errorCode: 'PASSWORD_TOO_SHORT' });
    server.routes[route] = () => text(400, 'there is one already');
    await expect(soon(user.setPassword({ password: 'x' }))).rejects.toThrow('already');
  });
});

test('the primary address is verified the old way too', async () => {
  const route = 'POST /api/v1/contact-channels/send-verification-code';
  const { user, server } = await signedIn({ [route]: success });
  expect(await soon(user.sendVerificationEmail({ callbackUrl }))).toBeUndefined();
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ email: 'ada@example.com', callback_url: callbackUrl });
  server.routes[route] = () => knownError('EMAIL_ALREADY_VERIFIED', 409);
  expect(await soon(user.sendVerificationEmail({ callbackUrl }))).toMatchObject({
    errorCode: 'EMAIL_ALREADY_VERIFIED',
  });
  const nameless = await signedIn({ 'GET /api/v1/users/me': () => json({ ...userJson, primary_email: null }) });
  await expect(nameless.user.sendVerificationEmail({ callbackUrl })).rejects.toThrow('defect');
});

test('sessions are listed and ended', async () => {
  const geo = { ip: '1.2.3.4', cityName: 'Paris' };
  const session = { id: 's1', user_id: userJson.id, created_at: 5, is_impersonation: false, is_current_session: true };
  const { user, server } = await signedIn({
    'GET /api/v1/auth/sessions': () =>
      list({ ...session, last_used_at: 7, last_used_at_end_user_ip_info: geo }, { ...session, id: 's2' }),
    'DELETE /api/v1/auth/sessions/s2': success,
  });
  expect(await soon(user.getActiveSessions())).toEqual([
    {
      id: 's1',
      userId: userJson.id,
      createdAt: new Date(5),
      isImpersonation: false,
      lastUsedAt: new Date(7),
      isCurrentSession: true,
      geoInfo: geo,
    },
    {
      id: 's2',
      userId: userJson.id,
      createdAt: new Date(5),
      isImpersonation: false,
      lastUsedAt: undefined,
      isCurrentSession: true,
    },
  ]);
  await soon(user.revokeSession('s2'));
  expect(sent(server)).toEqual(['GET /auth/sessions?user_id=me', 'DELETE /auth/sessions/s2?user_id=me']);
});

test('kinds of mail are listed, and switched for whoever watches', async () => {
  const route = 'GET /api/v1/emails/notification-preference/me';
  const category = (enabled: boolean) => ({
    notification_category_id: 'n1',
    notification_category_name: 'Marketing',
    enabled,
    can_disable: true,
  });
  const { user, server } = await signedIn({
    [route]: () => list(category(true)),
    'PATCH /api/v1/emails/notification-preference/me/n1': () => json(category(false)),
  });
  const [marketing] = await soon(user.listNotificationCategories());
  expect(marketing).toMatchObject({ id: 'n1', name: 'Marketing', enabled: true, canDisable: true });
  const reader = await watch(user, 'listNotificationCategories');
  server.routes[route] = () => list(category(false));
  await soon(marketing?.setEnabled(false) ?? Promise.reject());
  expect(server.seen.at(-2)?.body).toBe('{"enabled":false}');
  expect(reader.peek()).toMatchObject({ data: [{ enabled: false }] });
});

describe('permissions', () => {
  const routes = {
    'GET /api/v1/team-permissions': () =>
      list({ id: '$read_members', user_id: 'u', team_id: 't1' }, { id: 'edit', user_id: 'u', team_id: 't1' }),
    'GET /api/v1/project-permissions': () => list({ id: 'beta', user_id: 'u' }),
  };

  test('are those of a team or of the project, with what they contain unless said otherwise', async () => {
    const { user, server } = await signedIn(routes);
    const team = { id: 't1' };
    expect(await soon(user.listPermissions(team))).toEqual([{ id: '$read_members' }, { id: 'edit' }]);
    expect(await soon(user.listPermissions(team, { recursive: false }))).toHaveLength(2);
    expect(await soon(user.listPermissions())).toEqual([{ id: 'beta' }]);
    expect(await soon(user.listPermissions({ recursive: false }))).toEqual([{ id: 'beta' }]);
    expect(sent(server)).toEqual([
      'GET /team-permissions?team_id=t1&user_id=me&recursive=true',
      'GET /team-permissions?team_id=t1&user_id=me&recursive=false',
      'GET /project-permissions?user_id=me&recursive=true',
      'GET /project-permissions?user_id=me&recursive=false',
    ]);
  });

  test('one of them is found or null', async () => {
    const { user } = await signedIn(routes);
    const team = { id: 't1' };
    expect(await soon(user.getPermission(team, 'edit'))).toEqual({ id: 'edit' });
    expect(await soon(user.getPermission(team, 'beta'))).toBeNull();
    expect(await soon(user.getPermission('beta'))).toEqual({ id: 'beta' });
    expect(await soon(user.hasPermission(team, '$read_members'))).toBe(true);
    expect(await soon(user.hasPermission('edit'))).toBe(false);
  });

  test('readers of one permission share the fetch of all', async () => {
    const { user, server } = await signedIn(routes);
    const read = readOfEntity(user, 'getPermission');
    expect(read.reader({ id: 't1' }, 'edit')).toBe(read.reader({ id: 't1' }, 'edit'));
    for (const id of ['edit', 'other']) read.reader({ id: 't1' }, id).subscribe(() => {});
    await soon(read.reader({ id: 't1' }, 'edit').promise());
    expect(read.reader({ id: 't1' }, 'edit').peek()).toEqual({ status: 'ok', data: { id: 'edit' } });
    expect(read.reader({ id: 't1' }, 'edit').peek()).toBe(read.reader({ id: 't1' }, 'edit').peek());
    expect(read.reader({ id: 't1' }, 'other').peek()).toEqual({ status: 'ok', data: null });
    expect(server.seen).toHaveLength(1);
  });
});

describe('API keys', () => {
  const key = {
    id: 'k1',
    description: 'ci',
    type: 'user',
    user_id: userJson.id,
    is_public: false,
    created_at_millis: 5,
    value: { last_four: '1234' },
  };
  const list1 = 'GET /api/v1/user-api-keys';

  test('are made, shown once, listed, changed and revoked', async () => {
    const { user, server } = await signedIn({
      'POST /api/v1/user-api-keys': () => json({ ...key, value: 'sk_secret' }),
      [list1]: () => list(key),
      'PATCH /api/v1/user-api-keys/k1': () => json(key),
    });
    const expiresAt = new Date(2_000_000_000_000);
    const created = await soon(user.createApiKey({ description: 'ci', expiresAt, isPublic: true }));
    expect(created).toMatchObject({ id: 'k1', value: 'sk_secret', type: 'user', userId: userJson.id });
    await soon(user.createApiKey({ description: 'ci', expiresAt: null }));
    const [first] = await soon(user.listApiKeys());
    expect(first).toMatchObject({ description: 'ci', value: { lastFour: '1234' }, createdAt: new Date(5) });
    expect(first?.expiresAt).toBeUndefined();
    await soon(first?.update({ description: 'cd', expiresAt: null }) ?? Promise.reject());
    await soon(created.revoke());
    expect(sent(server)).toEqual([
      'POST /user-api-keys {"description":"ci","expires_at_millis":2000000000000,"is_public":true,"user_id":"me"}',
      'POST /user-api-keys {"description":"ci","expires_at_millis":null,"user_id":"me"}',
      'GET /user-api-keys?user_id=me',
      'PATCH /user-api-keys/k1?user_id=me {"description":"cd","expires_at_millis":null}',
      'PATCH /user-api-keys/k1?user_id=me {"revoked":true}',
    ]);
  });

  test.each([
    [{}, null],
    [{ expires_at_millis: 4_000_000_000_000 }, null],
    [{ expires_at_millis: 1 }, 'expired'],
    [{ manually_revoked_at_millis: 1 }, 'manually-revoked'],
    [{ manually_revoked_at_millis: 1, expires_at_millis: 1 }, 'manually-revoked'],
  ])('%j: why it is not valid is %s', async (more, why) => {
    const { user } = await signedIn({ [list1]: () => list({ ...key, ...more }) });
    const [first] = await soon(user.listApiKeys());
    expect(first?.whyInvalid()).toBe(why);
    expect(first?.isValid()).toBe(why === null);
  });

  test('whoever watches them sees a new one', async () => {
    const { user, server } = await signedIn({
      [list1]: () => list(),
      'POST /api/v1/user-api-keys': () => json({ ...key, value: 's' }),
    });
    const reader = await watch(user, 'listApiKeys');
    server.routes[list1] = () => list(key);
    await soon(user.createApiKey({ description: 'ci', expiresAt: null }));
    expect(reader.peek()).toMatchObject({ data: [{ id: 'k1' }] });
  });
});

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

  test('are listed, and one of them found', async () => {
    const { user, server } = await signedIn(teamRoutes);
    expect(await soon(user.listTeams())).toMatchObject([{ id: 't1', displayName: 'Crew', profileImageUrl: null }]);
    expect(await soon(user.getTeam('t1'))).toMatchObject({ id: 't1' });
    expect(await soon(user.getTeam('t2'))).toBeNull();
    expect(new Set(sent(server))).toEqual(new Set(['GET /teams?user_id=me']));
  });

  test('a new one is selected; a team is left', async () => {
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

  test('is changed and deleted, and whoever watches the teams sees it', async () => {
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

  test('people are invited, invitations listed and revoked', async () => {
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

  test('members have profiles, one edits the own', async () => {
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

  test('have API keys of their own', async () => {
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

  test('the selected one can do all of it', async () => {
    const selected = { ...userJson, selected_team_id: 't1', selected_team: teamJson };
    const { user } = await signedIn({
      'GET /api/v1/users/me': () => json(selected),
      'GET /api/v1/team-member-profiles': () => list(profile),
    });
    expect(user.selectedTeam).toMatchObject({ id: 't1', displayName: 'Crew' });
    expect(await soon(user.selectedTeam?.listUsers() ?? Promise.reject())).toHaveLength(1);
  });
});
