import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { machine, serverApp, serverUserJson } from '../../test/apps.ts';
import { stillInMemory } from '../../test/garbage.ts';
import { readOfEntity } from '../../test/readers.ts';
import { levels, list, sent, serverTeamJson, success } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json, knownError, text } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';
import type { PresentedApiKey } from './key-check.ts';
import type { ServerTeam } from './teams.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const id = serverUserJson.id;
const page = (nextCursor: string | null, ...items: unknown[]) =>
  json({ items, is_paginated: true, pagination: { next_cursor: nextCursor } });

function open(routes: Parameters<typeof createStubServer>[0] = {}) {
  const server = createStubServer({ [`GET /api/v1/users/${id}`]: () => json(serverUserJson), ...routes });
  const warnings: string[] = [];
  const platform = { ...machine(server.fetch), warn: (text: string) => void warnings.push(text) };
  return { server, app: serverApp(platform), warnings };
}

async function withUser(routes: Parameters<typeof createStubServer>[0] = {}) {
  const all = open(routes);
  const user = await soon(all.app.getUser(id));
  if (!user) throw new Error('there is no user');
  all.server.seen.length = 0;
  return { ...all, user };
}

describe('users', () => {
  test('are found by id; an unknown id returns null', async () => {
    const { app, server } = open({
      'GET /api/v1/users/other': () => knownError('USER_NOT_FOUND', 404),
      'GET /api/v1/users/no%20id': () => knownError('SCHEMA_ERROR', 400, { message: 'no UUID' }),
    });
    expect(await soon(app.getUser(id))).toMatchObject({
      id,
      serverMetadata: { plan: 'secret' },
      lastActiveAt: new Date(1_752_000_001_000),
    });
    expect(await soon(app.getUser('other'))).toBeNull();
    expect(await soon(app.getUser('no id'))).toBeNull();
    expect(levels(server)).toEqual(['server', 'server', 'server']);
    expect(server.seen[0]?.headers.has('x-stack-access-token')).toBe(false);
  });

  test('a server that reads all pages of users keeps none of them in memory', async () => {
    const { app } = open({ 'GET /api/v1/users': () => page('next', serverUserJson) });
    const pages: WeakRef<object>[] = [];
    for (const cursor of ['1', '2', '3']) pages.push(new WeakRef(await soon(app.listUsers({ cursor }))));
    expect(await stillInMemory(pages)).toEqual([]);
  });

  test('a page of users with a listener stays in memory on a server', async () => {
    const { app } = open({ 'GET /api/v1/users': () => page('next', serverUserJson) });
    const { reader } = app[internals].reads.listUsers;
    const undo = reader({ limit: 1 }).subscribe(() => {});
    await soon(app.listUsers({ limit: 1 }));
    expect(reader({ limit: 1 }).peek()).toMatchObject({ status: 'ok' });
    undo();
  });

  test.each(['API_KEY_NOT_FOUND', 'API_KEY_REVOKED', 'API_KEY_EXPIRED', 'WRONG_API_KEY_TYPE'])(
    'getUser finds a user by a user API key, and returns null when the key check answers %s',
    async code => {
      const route = 'POST /api/v1/user-api-keys/check';
      const { app, server } = open({ [route]: () => json({ id: 'k', type: 'user', user_id: id }) });
      expect(await soon(app.getUser({ apiKey: 'sk' }))).toMatchObject({ id });
      expect(server.to(route)[0]?.body).toBe('{"api_key":"sk"}');
      const details = code === 'WRONG_API_KEY_TYPE' ? { expected_type: 'user', actual_type: 'team' } : undefined;
      server.routes[route] = () => knownError(code, 401, details);
      expect(await soon(app.getUser({ apiKey: 'sk' }))).toBeNull();
    },
  );

  test('found by an API key are fetched again when a watched key is revoked', async () => {
    const check = 'POST /api/v1/user-api-keys/check';
    const key = { id: 'k', type: 'user', user_id: id, description: 'x', is_public: false, created_at_millis: 1 };
    const { app, server, user } = await withUser({
      [check]: () => json(key),
      'GET /api/v1/user-api-keys': () => list({ ...key, value: { last_four: '1234' } }),
      'PATCH /api/v1/user-api-keys/k': () => json({}),
    });
    const reader = app[internals].userById({ apiKey: 'sk' });
    reader.subscribe(() => {});
    await soon(reader.promise());
    expect(reader.peek()).toMatchObject({ data: { id } });
    const [listed] = await soon(user.listApiKeys());
    server.routes[check] = () => knownError('API_KEY_REVOKED', 401);
    await soon(Promise.resolve(listed?.revoke()));
    expect(reader.peek()).toEqual({ status: 'ok', data: null });
  });

  test('are listed in pages', async () => {
    const { app, server } = open({ 'GET /api/v1/users': () => page('next', serverUserJson) });
    const users = await soon(app.listUsers({ limit: 1, orderBy: 'signedUpAt', desc: true, query: 'ada', cursor: 'c' }));
    expect(users.nextCursor).toBe('next');
    expect(users.sort().map(user => user.id)).toEqual([id]);
    server.routes['GET /api/v1/users'] = () => page(null);
    expect((await soon(app.listUsers())).nextCursor).toBeNull();
    expect(sent(server)).toEqual([
      'GET /users?cursor=c&limit=1&order_by=signed_up_at&desc=true&query=ada',
      'GET /users',
    ]);
  });

  test.each(['members of a team', 'the owner of an API key'])('a change of a user reaches %s', async shown => {
    let name = 'Ada';
    const { app } = open({
      [`GET /api/v1/users/${id}`]: () => json({ ...serverUserJson, display_name: name }),
      'POST /api/v1/user-api-keys/check': () => json({ id: 'k', type: 'user', user_id: id }),
      'GET /api/v1/teams/t1': () => json(serverTeamJson),
      'GET /api/v1/team-member-profiles': () =>
        list({
          user_id: id,
          display_name: null,
          profile_image_url: null,
          user: { ...serverUserJson, display_name: name },
        }),
      [`PATCH /api/v1/users/${id}`]: () => {
        name = 'Eve';
        return json(serverUserJson);
      },
    });
    const [team, user] = [await soon(app.getTeam('t1')), await soon(app.getUser(id))];
    const reader =
      shown === 'members of a team'
        ? readOfEntity(team ?? {}, 'listUsers').reader()
        : app[internals].userById({ apiKey: 'sk' });
    reader.subscribe(() => {});
    await soon(reader.promise());
    await soon(user?.setDisplayName('Eve') ?? Promise.reject());
    const result = reader.peek();
    expect(result?.status === 'ok' && [result.data].flat()).toMatchObject([{ displayName: 'Eve' }]);
  });

  test.each(['leaves', 'renames', 'deletes'])('the watched user who %s the selected team sees it', async action => {
    const renamed = { ...serverTeamJson, display_name: 'New' };
    let selected: object | null = serverTeamJson;
    const change = (next: object | null) => () => {
      selected = next;
      return json(next ?? { success: true });
    };
    const { app } = open({
      'GET /api/v1/users/me': () => json({ ...serverUserJson, selected_team: selected }),
      [`DELETE /api/v1/team-memberships/t1/${id}`]: change(null),
      'PATCH /api/v1/teams/t1': change(renamed),
      'DELETE /api/v1/teams/t1': change(null),
      'POST /api/v1/auth/password/sign-in': () =>
        json({ access_token: accessToken(), refresh_token: 'r', user_id: id }),
    });
    await soon(app.signInWithCredential({ email: 'ada@example.com', password: 'correct horse', noRedirect: true }));
    const reader = app[internals].user();
    reader.subscribe(() => {});
    const user = await soon(app.getUser({ or: 'throw' }));
    const team = user.selectedTeam as ServerTeam;
    const actions: Record<string, () => Promise<void>> = {
      leaves: () => user.leaveTeam(team),
      renames: () => team.update({ displayName: 'New' }),
      deletes: () => team.delete(),
    };
    await soon(actions[action]?.() ?? Promise.reject());
    const expected = action === 'renames' ? { displayName: 'New' } : null;
    expect(reader.peek()).toMatchObject({ data: { selectedTeam: expected } });
  });

  test('that are created appear in watched lists', async () => {
    const { app, server } = open({
      'POST /api/v1/users': () => json(serverUserJson),
      'GET /api/v1/users': () => page(null),
    });
    const reader = app[internals].reads.listUsers.reader();
    reader.subscribe(() => {});
    await soon(reader.promise());
    server.routes['GET /api/v1/users'] = () => page(null, serverUserJson);
    const user = await soon(
      app.createUser({
        primaryEmail: 'ada@example.com',
        primaryEmailAuthEnabled: true,
        primaryEmailVerified: true,
        password: 'long enough',
        otpAuthEnabled: true,
        displayName: 'Ada',
        clientMetadata: 1,
        clientReadOnlyMetadata: 2,
        serverMetadata: 3,
      }),
    );
    expect(user.id).toBe(id);
    expect(JSON.parse(server.to('POST /api/v1/users')[0]?.body ?? '')).toEqual({
      primary_email: 'ada@example.com',
      primary_email_auth_enabled: true,
      primary_email_verified: true,
      password: 'long enough',
      otp_auth_enabled: true,
      display_name: 'Ada',
      client_metadata: 1,
      client_read_only_metadata: 2,
      server_metadata: 3,
    });
    expect(reader.peek()).toHaveProperty('data.0.id', id);
  });

  test('getServerUser warns that it is deprecated', async () => {
    const { app, warnings } = open();
    expect(await soon(app.getServerUser())).toBeNull();
    expect(warnings).toEqual(['getServerUser is deprecated. Use getUser.']);
  });
});

describe('a user', () => {
  test('is updated and deleted by id', async () => {
    const { user, server } = await withUser({
      [`PATCH /api/v1/users/${id}`]: () => json(serverUserJson),
      [`DELETE /api/v1/users/${id}`]: success,
    });
    await soon(user.update({ displayName: 'Bob', serverMetadata: 1, otpAuthEnabled: false }));
    await soon(user.setPrimaryEmail('b@example.com', { verified: true }));
    await soon(user.setClientReadOnlyMetadata(2));
    expect(await soon(user.setPassword({ password: 'long enough' }))).toBeUndefined();
    await soon(user.delete());
    expect(sent(server)).toEqual([
      `PATCH /users/${id} {"display_name":"Bob","otp_auth_enabled":false,"server_metadata":1}`,
      `PATCH /users/${id} {"primary_email":"b@example.com","primary_email_verified":true}`,
      `PATCH /users/${id} {"client_read_only_metadata":2}`,
      `PATCH /users/${id} {"password":"long enough"}`,
      `DELETE /users/${id}`,
    ]);
  });

  test('is fetched again for listeners after an update', async () => {
    const { app, user, server } = await withUser({ [`PATCH /api/v1/users/${id}`]: () => json(serverUserJson) });
    const reader = app[internals].userById(id);
    reader.subscribe(() => {});
    await soon(reader.promise());
    server.routes[`GET /api/v1/users/${id}`] = () => json({ ...serverUserJson, display_name: 'Bob' });
    await soon(user.setDisplayName('Bob'));
    expect(reader.peek()).toMatchObject({ data: { displayName: 'Bob' } });
  });

  test('gets sessions, and impersonation sessions with the lifetime of the server', async () => {
    const { user, server } = await withUser({
      'POST /api/v1/auth/sessions': () => json({ access_token: 'a', refresh_token: 'r' }),
      'GET /api/v1/auth/sessions': () => list(),
      'DELETE /api/v1/auth/sessions/s1': success,
    });
    const session = await soon(user.createSession());
    expect(await session.getTokens()).toEqual({ accessToken: 'a', refreshToken: 'r' });
    await soon(user.createSession({ isImpersonation: true }));
    await soon(user.createSession({ expiresInMillis: 1000, isImpersonation: true }));
    expect(await soon(user.getActiveSessions())).toEqual([]);
    await soon(user.revokeSession('s1'));
    expect(sent(server)).toEqual([
      `POST /auth/sessions {"user_id":"${id}","expires_in_millis":31536000000,"is_impersonation":false}`,
      `POST /auth/sessions {"user_id":"${id}","is_impersonation":true}`,
      `POST /auth/sessions {"user_id":"${id}","expires_in_millis":1000,"is_impersonation":true}`,
      `GET /auth/sessions?user_id=${id}`,
      `DELETE /auth/sessions/s1?user_id=${id}`,
    ]);
  });

  test('is granted permissions, and they are revoked', async () => {
    const { user, server } = await withUser({
      '*': () => json({ id: 'x', user_id: id, team_id: 't1', success: true }),
      'GET /api/v1/team-permissions': () => list(),
    });
    const team = { id: 't1' };
    await soon(user.grantPermission(team, '$read_members'));
    await soon(user.grantPermission('beta'));
    await soon(user.revokePermission(team, 'edit'));
    await soon(user.revokePermission('beta'));
    expect(await soon(user.hasPermission(team, 'edit'))).toBe(false);
    expect(sent(server)).toEqual([
      `POST /team-permissions/t1/${id}/%24read_members {}`,
      `POST /project-permissions/${id}/beta {}`,
      `DELETE /team-permissions/t1/${id}/edit`,
      `DELETE /project-permissions/${id}/beta`,
      `GET /team-permissions?team_id=t1&user_id=${id}&recursive=true`,
    ]);
    expect(new Set(levels(server))).toEqual(new Set(['server']));
  });

  test('has teams, and a created team is selected', async () => {
    const { user, server } = await withUser({
      'GET /api/v1/teams': () => list(serverTeamJson),
      'POST /api/v1/teams': () => json(serverTeamJson),
      [`PATCH /api/v1/users/${id}`]: () => json(serverUserJson),
      [`DELETE /api/v1/team-memberships/t1/${id}`]: success,
    });
    expect(await soon(user.listTeams())).toMatchObject([{ id: 't1', createdAt: new Date(5) }]);
    const team = await soon(user.createTeam({ displayName: 'Crew' }));
    await soon(user.leaveTeam(team));
    expect(sent(server)).toEqual([
      `GET /teams?user_id=${id}`,
      `POST /teams {"display_name":"Crew","creator_user_id":"${id}"}`,
      `PATCH /users/${id} {"selected_team_id":"t1"}`,
      `DELETE /team-memberships/t1/${id}`,
    ]);
  });

  test('has contact channels whose verification a server sets', async () => {
    const channel = { user_id: id, id: 'c1', value: 'a@example.com', type: 'email', used_for_auth: true };
    const { user, server } = await withUser({
      'GET /api/v1/contact-channels': () => list(channel),
      'POST /api/v1/contact-channels': () => json(channel),
      [`PATCH /api/v1/contact-channels/${id}/c1`]: () => json(channel),
      [`POST /api/v1/contact-channels/${id}/c1/send-verification-code`]: () =>
        knownError('EMAIL_ALREADY_VERIFIED', 409),
    });
    const [first] = await soon(user.listContactChannels());
    await soon(first?.update({ isVerified: true }) ?? Promise.reject());
    const options = { value: 'b@example.com', type: 'email', usedForAuth: false, isVerified: true } as const;
    await soon(user.createContactChannel(options));
    const callbackUrl = 'https://shop.example/verify';
    await expect(soon(first?.sendVerificationEmail({ callbackUrl }) ?? Promise.resolve())).rejects.toMatchObject({
      errorCode: 'EMAIL_ALREADY_VERIFIED',
    });
    expect(sent(server).slice(0, 3)).toEqual([
      `GET /contact-channels?user_id=${id}`,
      `PATCH /contact-channels/${id}/c1 {"is_verified":true}`,
      `POST /contact-channels {"user_id":"${id}","type":"email","value":"b@example.com","used_for_auth":false,"is_verified":true}`,
    ]);
  });

  test('has no methods that require its own session', async () => {
    const { user, server } = await withUser({ 'POST /api/v1/check-feature-support': () => text(200, 'no') });
    await expect(user.updatePassword({ oldPassword: 'a', newPassword: 'b' })).rejects.toThrow('setPassword');
    await expect(soon(user.sendVerificationEmail())).rejects.toThrow('of a contact channel');
    expect(sent(server)).toEqual(['POST /check-feature-support {"feature":"sendVerificationEmail"}']);
  });

  test('control 43: the client JSON of a user has no server-only field', async () => {
    const { user } = await withUser();
    expect(JSON.stringify(user.toClientJson())).not.toContain('secret');
  });
});

describe('teams', () => {
  async function withTeam(routes: Parameters<typeof createStubServer>[0] = {}) {
    const all = open({ 'GET /api/v1/teams/t1': () => json(serverTeamJson), ...routes });
    const team = await soon(all.app.getTeam('t1'));
    if (!team) throw new Error('there is no team');
    all.server.seen.length = 0;
    return { ...all, team };
  }

  test('are found by id or by API key; an unknown one returns null', async () => {
    const check = 'POST /api/v1/team-api-keys/check';
    const { app, server } = open({
      'GET /api/v1/teams/t1': () => json(serverTeamJson),
      'GET /api/v1/teams/t2': () => knownError('TEAM_NOT_FOUND', 404, { team_id: 't2' }),
      'GET /api/v1/teams/no%20id': () => knownError('SCHEMA_ERROR', 400, { message: 'no UUID' }),
      [check]: () => json({ id: 'k', type: 'team', team_id: 't1' }),
    });
    expect(await soon(app.getTeam('t1'))).toMatchObject({ id: 't1', createdAt: new Date(5), serverMetadata: null });
    expect(await soon(app.getTeam('t2'))).toBeNull();
    expect(await soon(app.getTeam('no id'))).toBeNull();
    expect(await soon(app.getTeam({ apiKey: 'sk' }))).toMatchObject({ id: 't1' });
    server.routes[check] = () => knownError('API_KEY_REVOKED', 401);
    vi.advanceTimersByTime(1000);
    expect(await soon(app.getTeam({ apiKey: 'sk' }))).toBeNull();
  });

  test('are listed and created', async () => {
    const { app, server } = open({
      'GET /api/v1/teams': () => list(serverTeamJson),
      'POST /api/v1/teams': () => json(serverTeamJson),
    });
    expect(await soon(app.listTeams())).toMatchObject([{ id: 't1' }]);
    await soon(app.createTeam({ displayName: 'Crew', creatorUserId: id }));
    expect(sent(server)).toEqual(['GET /teams', `POST /teams {"display_name":"Crew","creator_user_id":"${id}"}`]);
  });

  test('are updated and deleted, and members are added and removed', async () => {
    const { team, server } = await withTeam({ '*': () => json({ ...serverTeamJson, success: true }) });
    await soon(team.update({ displayName: 'New', serverMetadata: 1, clientReadOnlyMetadata: 2 }));
    await soon(team.addUser('u2'));
    await soon(team.removeUser('u2'));
    await soon(team.delete());
    expect(sent(server)).toEqual([
      'PATCH /teams/t1 {"display_name":"New","client_read_only_metadata":2,"server_metadata":1}',
      'POST /team-memberships/t1/u2 {}',
      'DELETE /team-memberships/t1/u2',
      'DELETE /teams/t1',
    ]);
  });

  test.each(['update', 'delete'] as const)(
    'after %s, the users who have selected the team are read again',
    async how => {
      const { app, team, server } = await withTeam({ 'PATCH /api/v1/teams/t1': () => json(serverTeamJson) });
      const route = `GET /api/v1/users/${id}`;
      server.routes['DELETE /api/v1/teams/t1'] = success;
      server.routes[route] = () => json({ ...serverUserJson, selected_team: serverTeamJson });
      const reader = app[internals].userById(id);
      reader.subscribe(() => {});
      await soon(reader.promise());
      const after = how === 'update' ? { ...serverTeamJson, display_name: 'New' } : null;
      server.routes[route] = () => json({ ...serverUserJson, selected_team: after });
      await soon(how === 'update' ? team.update({ displayName: 'New' }) : team.delete());
      const selectedTeam = how === 'update' ? { displayName: 'New' } : null;
      expect(reader.peek()).toMatchObject({ data: { selectedTeam } });
    },
  );

  test('list members as users with their team profiles', async () => {
    const member = { team_id: 't1', user_id: id, display_name: 'Captain', profile_image_url: null };
    const { team, server } = await withTeam({
      'GET /api/v1/team-member-profiles': () => list({ ...member, user: serverUserJson }),
      [`PATCH /api/v1/users/${id}`]: () => json(serverUserJson),
    });
    const [user] = await soon(team.listUsers());
    expect(user).toMatchObject({ id, displayName: 'Ada', teamProfile: { displayName: 'Captain' } });
    await soon(user?.setDisplayName('Bob') ?? Promise.reject());
    expect(sent(server).at(-1)).toBe(`PATCH /users/${id} {"display_name":"Bob"}`);
  });
});

test('sendEmail queues emails to users', async () => {
  const { app, server } = open({ 'POST /api/v1/emails/send-email': () => json({ results: [] }) });
  const options = { userIds: [id], subject: 'Hi', content: '<p>Hi</p>', notificationCategoryName: 'Marketing' };
  await soon(app.sendEmail(options));
  expect(sent(server)).toEqual([
    `POST /emails/send-email {"user_ids":["${id}"],"subject":"Hi","html":"<p>Hi</p>","notification_category_name":"Marketing"}`,
  ]);
});

describe('reads by API key on a server', () => {
  const check = 'POST /api/v1/user-api-keys/check';
  const routes = {
    [check]: () => json({ id: 'k', type: 'user', user_id: id }),
    [`GET /api/v1/users/${id}`]: () => json(serverUserJson),
  };

  test('two reads with different keys run without a pause between them', async () => {
    const { app } = open(routes);
    const startedAt = Date.now();
    for (const apiKey of ['a', 'a', 'b']) await app.getUser({ apiKey });
    expect(Date.now() - startedAt).toBe(0);
  });

  test('concurrent reads share one key check, and a revoked key is refused at the next call', async () => {
    const { app, server } = open(routes);
    await Promise.all([app.getUser({ apiKey: 'a' }), app.getUser({ apiKey: 'a' })]);
    expect(server.to(check)).toHaveLength(1);
    server.routes[check] = () => knownError('API_KEY_REVOKED', 401);
    expect(await app.getUser({ apiKey: 'a' })).toBeNull();
  });

  describe.each([
    ['getUser', 'user', (app: ReturnType<typeof serverApp>, which: PresentedApiKey) => app.getUser(which)],
    ['getTeam', 'team', (app: ReturnType<typeof serverApp>, which: PresentedApiKey) => app.getTeam(which)],
  ] as const)('%s with scopes', (_, kind, read) => {
    const route = `POST /api/v1/${kind}-api-keys/check`;
    const openWith = (scopes?: string[]) =>
      open({
        ...routes,
        'GET /api/v1/teams/t1': () => json(serverTeamJson),
        [route]: () => json({ id: 'k', type: kind, [`${kind}_id`]: kind === 'user' ? id : 't1', scopes }),
      });

    test.each([
      ['a key without a limit', undefined, ['read', 'write']],
      ['a key that has them all', ['write', 'read'], ['read', 'write']],
      ['a read that needs none', ['read'], []],
    ])('%s is accepted', async (_title, ofKey, scopes) => {
      const { app } = openWith(ofKey);
      expect(await read(app, { apiKey: 'a', scopes })).not.toBeNull();
    });

    test('a key without one of them is refused with API_KEY_SCOPE_MISSING', async () => {
      const { app } = openWith(['read']);
      await expect(read(app, { apiKey: 'a', scopes: ['read', 'write', 'admin'] })).rejects.toMatchObject({
        errorCode: 'API_KEY_SCOPE_MISSING',
        message: 'This API key does not have the scope admin, write.',
        details: { missing_scopes: ['admin', 'write'] },
      });
    });

    test('reads that need different scopes share one check, and each gets its own answer', async () => {
      const { app, server } = openWith(['read']);
      const answers = await Promise.allSettled([
        read(app, { apiKey: 'a', scopes: ['read'] }),
        read(app, { apiKey: 'a', scopes: ['write'] }),
        read(app, { apiKey: 'a' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(server.to(route)).toHaveLength(1);
    });

    test('an invalid key is null, whatever scopes are needed', async () => {
      const { app } = open({ [route]: () => knownError('API_KEY_REVOKED', 401) });
      expect(await read(app, { apiKey: 'a', scopes: ['read'] })).toBeNull();
    });
  });
});
