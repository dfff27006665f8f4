import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { openAdmin } from '../../test/apps.ts';
import { levels, list, sent, serverUserJson, success } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json } from '../../test/stub-server.ts';
import type { ImportedUser } from './user-administration.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const extension = '/api/v1/internal/extensions/users';
const { id } = serverUserJson;

test('every condition of a filter is a query parameter, and a page holds users', async () => {
  const { app, server } = openAdmin({
    [`GET ${extension}`]: () =>
      json({
        items: [{ ...serverUserJson, email_code: 'first_use', was_active: false }],
        is_paginated: true,
        pagination: { next_cursor: '5.x' },
      }),
  });
  const page = await soon(
    app.findUsers({
      query: 'ada',
      teamId: 't1',
      method: 'github',
      hasSecondFactor: false,
      isVerified: true,
      isAnonymous: false,
      activeFrom: new Date(1),
      activeTo: new Date(2),
      signedUpFrom: new Date(3),
      signedUpTo: new Date(4),
      desc: true,
      cursor: '6.y',
      limit: 7,
    }),
  );
  expect(page.map(user => user.id)).toEqual([id]);
  expect(page[0]).toMatchObject({ emailCode: 'first_use', wasActive: false });
  expect(page.nextCursor).toBe('5.x');
  expect(typeof page[0]?.delete).toBe('function');
  const query = Object.fromEntries(new URLSearchParams(server.seen[0]?.path.split('?')[1]));
  expect(query).toEqual({
    query: 'ada',
    team_id: 't1',
    method: 'github',
    has_second_factor: 'false',
    is_verified: 'true',
    is_anonymous: 'false',
    active_from_millis: '1',
    active_to_millis: '2',
    signed_up_from_millis: '3',
    signed_up_to_millis: '4',
    desc: 'true',
    cursor: '6.y',
    limit: '7',
  });
});

test('an export yields each line as it is on the wire', async () => {
  const { app } = openAdmin({ [`GET ${extension}/export`]: () => new Response('{"id":"a"}\n{"id":"b"}\n') });
  const ids: string[] = [];
  for await (const user of app.exportUsers()) ids.push(user.id);
  expect(ids).toEqual(['a', 'b']);
});

test('an import sends the rows and returns their results in order', async () => {
  const results = [
    { status: 'created', user_id: id, reason: null },
    { status: 'failed', user_id: null, reason: 'No address.' },
  ];
  const { app, server } = openAdmin({ [`POST ${extension}/import`]: () => json({ results }) });
  const users: ImportedUser[] = [{ display_name: 'Ada' }, {}];
  expect(await soon(app.importUsers({ users, onConflict: 'fail', isDryRun: true }))).toEqual([
    { status: 'created', userId: id, reason: null },
    { status: 'failed', userId: null, reason: 'No address.' },
  ]);
  expect(sent(server)).toEqual([
    `POST /internal/extensions/users/import {"users":[{"display_name":"Ada"},{}],"on_conflict":"fail","is_dry_run":true}`,
  ]);
});

test('an import that updates a user reaches the watched user', async () => {
  const { app, server } = openAdmin({
    [`GET /api/v1/users/${id}`]: () => json(serverUserJson),
    [`POST ${extension}/import`]: () => json({ results: [{ status: 'updated', user_id: id, reason: null }] }),
  });
  const reader = app[internals].userById(id);
  reader.subscribe(() => {});
  await soon(reader.promise());
  server.routes[`GET /api/v1/users/${id}`] = () => json({ ...serverUserJson, display_name: 'Eve' });
  await soon(app.importUsers({ users: [{ primary_email: 'ada@example.com' }], onConflict: 'update' }));
  expect(reader.peek()).toMatchObject({ data: { displayName: 'Eve' } });
});

test('a link and an impersonation have the time at which they end', async () => {
  const accessToken = `e.${btoa(JSON.stringify({ exp: 3 }))}.s`;
  const { app } = openAdmin({
    [`POST ${extension}/${id}/links`]: () => json({ url: 'https://app.example/x?code=1', expires_at_millis: 5 }),
    [`POST ${extension}/${id}/impersonations`]: () =>
      json({ access_token: accessToken, refresh_token: 'r', expires_at_millis: 6000 }),
  });
  const link = { kind: 'sign_in', callbackUrl: 'https://app.example/x' } as const;
  expect(await soon(app.createUserLink(id, link))).toEqual({
    url: 'https://app.example/x?code=1',
    expiresAt: new Date(5),
  });
  expect(await soon(app.impersonateUser(id, { reason: 'Ticket 1815' }))).toEqual({
    accessToken,
    refreshToken: 'r',
    expiresAt: new Date(6000),
    accessTokenExpiresAt: new Date(3000),
  });
});

test('the sessions of a user of an admin app are read at level admin, which lists impersonations', async () => {
  const { app, server } = openAdmin({
    [`GET /api/v1/users/${id}`]: () => json(serverUserJson),
    'GET /api/v1/auth/sessions': () => list(),
    'GET /api/v1/extensions/sessions': () => list(),
    'DELETE /api/v1/auth/sessions/s1': success,
  });
  const user = await soon(app.getUser(id));
  await soon(user?.getActiveSessions() ?? Promise.reject(new Error('no user')));
  await soon(user?.getDeviceSessions() ?? Promise.reject(new Error('no user')));
  await soon(user?.revokeSession('s1') ?? Promise.reject(new Error('no user')));
  expect(levels(server)).toEqual(['server', 'admin', 'admin', 'admin']);
});

test('the scheduled deletion of a user is read and cancelled', async () => {
  const { app, server } = openAdmin({
    [`GET ${extension}/${id}/deletion`]: () => json({ scheduled: { requested_at_millis: 1, deletes_at_millis: 5 } }),
    [`DELETE ${extension}/${id}/deletion`]: () => json({ success: true }),
  });
  expect(await soon(app.getUserDeletion(id))).toEqual(new Date(5));
  await soon(app.cancelUserDeletion(id));
  expect(sent(server)).toContain(`DELETE /internal/extensions/users/${id}/deletion`);
});

test('the sign-in blocks of a user are read and removed', async () => {
  const block = { limit: 'failedSignInsPerAccount', from: '203.0.113.7' };
  const { app, server } = openAdmin({
    [`GET ${extension}/${id}/sign-in-blocks`]: () =>
      json({ items: [{ ...block, until_millis: 5 }], is_paginated: false }),
    [`DELETE ${extension}/${id}/sign-in-blocks`]: () => json({ success: true }),
  });
  expect(await soon(app.getSignInBlocks(id))).toEqual([{ ...block, until: new Date(5) }]);
  await soon(app.allowSignIn(id));
  expect(sent(server)).toContain(`DELETE /internal/extensions/users/${id}/sign-in-blocks`);
});
