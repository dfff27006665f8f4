import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readOfEntity, watch } from '../../test/readers.ts';
import { levels, list, sent, signedIn, success, userJson } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json, knownError, text } from '../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const callbackUrl = 'https://shop.example/verify';

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

  test('are listed, created, updated and deleted', async () => {
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

  test('a verification email is requested, and the refusal for a verified address is no exception', async () => {
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

  test('a change updates the watched channels and the watched user', async () => {
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
  test('is changed, or the error is returned', async () => {
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

  test('is set for the first time, or the error is returned', async () => {
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

test('the deprecated method verifies the primary email address', async () => {
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

test('sessions are listed and revoked', async () => {
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

test('sessions are listed with their device, and all others are ended', async () => {
  const device = { browser: 'Firefox 144', system: null, type: 'desktop' };
  const { user, server } = await signedIn({
    'GET /api/v1/extensions/sessions': () =>
      list({
        id: 's1',
        user_id: userJson.id,
        created_at_millis: 5,
        expires_at_millis: 9,
        last_used_at_millis: null,
        is_current: true,
        is_impersonation: false,
        device,
        address: '203.0.113.7',
        country_code: 'CH',
        place: null,
      }),
    'DELETE /api/v1/extensions/sessions/others': () => json({ success: true, ended: 3 }),
  });
  expect(await soon(user.getDeviceSessions())).toEqual([
    {
      id: 's1',
      userId: userJson.id,
      createdAt: new Date(5),
      expiresAt: new Date(9),
      lastUsedAt: null,
      isCurrentSession: true,
      isImpersonation: false,
      device,
      address: '203.0.113.7',
      countryCode: 'CH',
      geoInfo: null,
    },
  ]);
  expect(await soon(user.revokeOtherSessions())).toBe(3);
  expect(sent(server)).toEqual([
    'GET /extensions/sessions?user_id=me',
    'DELETE /extensions/sessions/others?user_id=me',
  ]);
});

test('notification categories are listed, and a change updates watched lists', async () => {
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

  test('are listed by team or project, with contained ones by default', async () => {
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

  test('getPermission and hasPermission find a permission of a team or of the project by its id', async () => {
    const { user } = await signedIn(routes);
    const team = { id: 't1' };
    expect(await soon(user.getPermission(team, 'edit'))).toEqual({ id: 'edit' });
    expect(await soon(user.getPermission(team, 'beta'))).toBeNull();
    expect(await soon(user.getPermission('beta'))).toEqual({ id: 'beta' });
    expect(await soon(user.hasPermission(team, '$read_members'))).toBe(true);
    expect(await soon(user.hasPermission('edit'))).toBe(false);
  });

  test('a team without an id, such as the id itself, is not read as all teams', async () => {
    const { user, server } = await signedIn(routes);
    // @ts-expect-error: the parameter is a team. An app in JavaScript can pass the id, which must not select all teams.
    await soon(user.hasPermission('t1', 'edit'));
    // @ts-expect-error: an id is text. An app in JavaScript can pass a team object without one.
    await soon(user.listPermissions({ id: undefined }));
    expect(sent(server)).toEqual([
      'GET /team-permissions?team_id=undefined&user_id=me&recursive=true',
      'GET /team-permissions?team_id=undefined&user_id=me&recursive=true',
    ]);
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

  test('are created, shown once, listed, updated and revoked', async () => {
    const { user, server } = await signedIn({
      'POST /api/v1/user-api-keys': () => json({ ...key, value: 'sk_secret' }),
      [list1]: () => list(key),
      'PATCH /api/v1/user-api-keys/k1': () => json(key),
    });
    const expiresAt = new Date(2_000_000_000_000);
    const created = await soon(user.createApiKey({ description: 'ci', expiresAt, isPublic: true }));
    expect(created).toMatchObject({ id: 'k1', value: 'sk_secret', type: 'user', userId: userJson.id });
    await soon(user.createApiKey({ description: 'ci', expiresAt: null }));
    await soon(user.createApiKey({ description: 'ci', expiresAt: null, scopes: ['read'] }));
    const [first] = await soon(user.listApiKeys());
    expect(first).toMatchObject({
      description: 'ci',
      value: { lastFour: '1234' },
      createdAt: new Date(5),
      scopes: null,
    });
    expect(first?.expiresAt).toBeUndefined();
    await soon(first?.update({ description: 'cd', expiresAt: null }) ?? Promise.reject());
    await soon(created.revoke());
    expect(sent(server)).toEqual([
      'POST /user-api-keys {"description":"ci","expires_at_millis":2000000000000,"is_public":true,"user_id":"me"}',
      'POST /user-api-keys {"description":"ci","expires_at_millis":null,"user_id":"me"}',
      'POST /user-api-keys {"description":"ci","expires_at_millis":null,"scopes":["read"],"user_id":"me"}',
      'GET /user-api-keys?user_id=me',
      'PATCH /user-api-keys/k1?user_id=me {"description":"cd","expires_at_millis":null}',
      'PATCH /user-api-keys/k1?user_id=me {"revoked":true}',
    ]);
  });

  test('an invalid date is refused, so that it does not create a key that never expires', async () => {
    const { user, server } = await signedIn({ [list1]: () => list(key) });
    const expiresAt = new Date('31.12.2026');
    await expect(soon(user.createApiKey({ description: 'ci', expiresAt }))).rejects.toThrow(RangeError);
    const [first] = await soon(user.listApiKeys());
    await expect(soon(first?.update({ expiresAt }) ?? Promise.resolve())).rejects.toThrow(RangeError);
    expect(sent(server)).toEqual(['GET /user-api-keys?user_id=me']);
  });

  test('the scopes of a key are those of the answer', async () => {
    const { user } = await signedIn({ [list1]: () => list({ ...key, scopes: ['read', 'write'] }) });
    expect(await soon(user.listApiKeys())).toMatchObject([{ scopes: ['read', 'write'] }]);
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

  test('manuallyRevokedAt is null until the key is revoked', async () => {
    const revoked = { ...key, manually_revoked_at_millis: 7 };
    const { user } = await signedIn({ [list1]: () => json({ items: [key, revoked], is_paginated: false }) });
    const keys = await soon(user.listApiKeys());
    expect(keys.map(({ manuallyRevokedAt }) => manuallyRevokedAt)).toEqual([null, new Date(7)]);
  });

  test('a created key appears in watched lists', async () => {
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
