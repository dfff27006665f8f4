import { sessionMaxLifetimeMs } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { anId, aSecret, aToken, type Outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../platform/database/sql.ts';
import { whileDeleting } from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { invalid, noUser, openScene, type Person, refused, type Scene, success } from '../sign-in/scene.fixtures.ts';
import { signInOwner } from '../user-administration/owner.fixtures.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  ada = await scene.person();
});

const minute = 60_000;
const day = 24 * 60 * minute;
const unknownUserId = '11111111-1111-4111-8111-111111111111';
const as = ({ accessToken }: Pick<Person, 'accessToken'>) => ({ accessToken });
const browser = { 'user-agent': 'Mozilla/5.0', 'x-real-ip': '203.0.113.7' };
const placeAt = (ip: string) => ({
  ip,
  countryCode: null,
  regionCode: null,
  cityName: null,
  latitude: null,
  longitude: null,
  tzIdentifier: null,
});

const create = (body: object = {}, options: CallOptions = {}) =>
  scene.call('POST /auth/sessions', { level: 'server', ...options, body: { user_id: ada.id, ...body } });
const list = (options: CallOptions = {}, user_id: string | undefined = ada.id) =>
  scene.call('GET /auth/sessions', { ...options, query: { user_id } });
const end = (id: string, options: CallOptions = {}) =>
  scene.call('DELETE /auth/sessions/{id}', { ...options, params: { id } });
const itemsOf = (outcome: Outcome) => (outcome as unknown as { body: { items: Record<string, unknown>[] } }).body.items;
const idsOf = (outcome: Outcome) => itemsOf(outcome).map(({ id }) => id);
const sessionIdOf = ({ accessToken }: Pick<Person, 'accessToken'>): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).refreshTokenId;

async function refresh(refreshToken: string, headers: Record<string, string> = {}): Promise<Outcome> {
  const answer = await scene.call('POST /auth/sessions/current/refresh', { refreshToken, headers });
  await server.deps.activity.flush();
  return answer;
}

const listed = (items: unknown[]) => ({ status: 200, body: { items, is_paginated: false } });

describe('POST /auth/sessions', () => {
  test.each(['server', 'admin'] as const)('opens a session at level %s', async level => {
    const answer = await create({}, { level });
    expect(answer).toEqual({ status: 200, body: { refresh_token: aSecret, access_token: aToken } });
    const { refresh_token, access_token } = (answer as unknown as { body: Record<string, string> }).body;
    expect(await refresh(refresh_token ?? '')).toMatchObject({ status: 200 });
    expect(await scene.call('GET /users/me', { accessToken: access_token })).toMatchObject({ body: { id: ada.id } });
  });

  test('refuses clients with INSUFFICIENT_ACCESS_TYPE', async () => {
    const details = { actual_access_type: 'client', allowed_access_types: ['server', 'admin'] };
    const refusal = { status: 401, code: 'INSUFFICIENT_ACCESS_TYPE', details };
    expect(await create({}, { level: 'client', ...as(ada) })).toEqual(refusal);
    expect(await create({ user_id: 'me' }, { level: 'client', ...as(ada) })).toEqual(refusal);
  });

  test('the user id `me` names the user of the access token', async () => {
    await create({ user_id: 'me' }, as(ada));
    expect(await scene.sessionsOf(ada.id)).toBe(2);
    expect(await create({ user_id: 'me' })).toEqual(noUser);
  });

  test('a user id in capitals names the same user, and the token has it in lower case', async () => {
    const answer = await create({ user_id: ada.id.toUpperCase() });
    const { access_token = '' } = (answer as unknown as { body: Record<string, string> }).body;
    expect(JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      sub: ada.id,
    });
  });

  test('control 92: an unknown user and a user of another project are refused with USER_ID_DOES_NOT_EXIST', async () => {
    const elsewhere = await (await openScene(server)).person();
    for (const user_id of [unknownUserId, elsewhere.id]) {
      expect(await create({ user_id })).toEqual({ status: 400, code: 'USER_ID_DOES_NOT_EXIST', details: { user_id } });
    }
  });

  test('USER_ID_DOES_NOT_EXIST names the user by the id in lower case', async () => {
    const missing = { user_id: 'aaaaaaaa-1111-4111-8111-111111111111' };
    expect(await create({ user_id: missing.user_id.toUpperCase() })).toMatchObject({ details: missing });
  });

  test.each([
    [undefined, 365 * day],
    [sessionMaxLifetimeMs, 367 * day],
    [minute, minute],
    [1.5, 1],
    ['60000', minute],
  ])('with expires_in_millis %j the session lives %i ms', async (expires_in_millis, lifetimeMs) => {
    const session = await scene.session(ada.id, { expires_in_millis });
    server.clock.advance(lifetimeMs - 1);
    expect(await scene.isLive(session)).toBe(true);
    server.clock.advance(1);
    expect(await scene.isLive(session)).toBe(false);
  });

  test.each([0, -1, -0.5, -1e15, -1e300])(
    'with expires_in_millis %d the session is expired',
    async expires_in_millis => {
      const session = await scene.session(ada.id, { expires_in_millis });
      expect(await scene.isLive(session)).toBe(false);
      expect((await scene.call('GET /users/me', as(session))).status).toBe(200);
    },
  );

  test.each([
    { expires_in_millis: 370 * day },
    { expires_in_millis: sessionMaxLifetimeMs + 1 },
    { expires_in_millis: 1e300 },
    { expires_in_millis: null },
    { expires_in_millis: 'long' },
    { user_id: undefined },
    { user_id: 'ME' },
    { user_id: 'x' },
    { is_impersonation: null },
    { is_impersonation: 'yes' },
    { more: 1 },
  ])('the body fields %j are refused with SCHEMA_ERROR', async body => {
    expect(await create(body)).toEqual(invalid);
  });

  test('needs no second factor and ignores the sign-in switches', async () => {
    await scene.configure({ signUpEnabled: false, credentialEnabled: false, magicLinkEnabled: false });
    const body = { totp_secret_base64: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' };
    await scene.call('PATCH /users/me', { ...as(ada), body });
    expect(await create()).toMatchObject({ status: 200 });
  });

  test('a user who is deleted concurrently answers USER_ID_DOES_NOT_EXIST', async () => {
    const gone = { status: 400, code: 'USER_ID_DOES_NOT_EXIST', details: { user_id: ada.id } };
    expect(await whileDeleting(server, ada.id, () => create())).toEqual(gone);
  });

  test('a signed-in user who is deleted concurrently is named by the id, also when the request says "me"', async () => {
    const gone = { status: 400, code: 'USER_ID_DOES_NOT_EXIST', details: { user_id: ada.id } };
    expect(await whileDeleting(server, ada.id, () => create({ user_id: 'me' }, as(ada)))).toEqual(gone);
  });

  test('control 34: an impersonation session lives an hour by default', async () => {
    const session = await scene.session(ada.id, { is_impersonation: true });
    server.clock.advance(60 * minute - 1);
    expect(await scene.isLive(session)).toBe(true);
    server.clock.advance(1);
    expect(await scene.isLive(session)).toBe(false);
  });

  test('control 34: an impersonation session lives for the requested time', async () => {
    const session = await scene.session(ada.id, { is_impersonation: true, expires_in_millis: day });
    server.clock.advance(day - 1);
    expect(await scene.isLive(session)).toBe(true);
  });

  test('control 34: the access token of an impersonation ends with its session', async () => {
    const session = await scene.session(ada.id, { is_impersonation: true, expires_in_millis: minute });
    server.clock.advance(minute - 1);
    expect((await scene.call('GET /users/me', as(session))).status).toBe(200);
    server.clock.advance(1);
    expect(await scene.call('GET /users/me', as(session))).toMatchObject({ status: 401, code: 'ACCESS_TOKEN_EXPIRED' });
  });

  test('an impersonation session does not count as activity of its user, and records its own last use', async () => {
    const lastActive = async () => {
      const { json } = await server.call('GET /users/{user_id}', {
        project: scene.project,
        level: 'server',
        params: { user_id: ada.id },
      });
      return z.object({ last_active_at_millis: z.number() }).parse(json).last_active_at_millis;
    };
    const before = await lastActive();
    server.clock.advance(day);
    const session = await scene.session(ada.id, { is_impersonation: true });
    server.clock.advance(minute);
    await refresh(session.refreshToken, browser);
    expect(await lastActive()).toBe(before);
    const [shown] = itemsOf(await list({ level: 'admin' })).filter(({ id }) => id === sessionIdOf(session));
    expect(shown).toMatchObject({ last_used_at: server.clock.now() });
  });
});

describe('GET /auth/sessions', () => {
  test('lists the newest session first, with all fields', async () => {
    const createdAt = server.clock.now();
    server.clock.advance(minute);
    const second = await scene.session(ada.id);
    server.clock.advance(minute);
    await refresh(ada.refreshToken, browser);
    expect(await list(as(second))).toEqual(
      listed([
        {
          id: sessionIdOf(second),
          user_id: ada.id,
          created_at: createdAt + minute,
          is_impersonation: false,
          last_used_at: createdAt + minute,
          is_current_session: true,
        },
        {
          id: sessionIdOf(ada),
          user_id: ada.id,
          created_at: createdAt,
          is_impersonation: false,
          last_used_at: createdAt + 2 * minute,
          is_current_session: false,
          last_used_at_end_user_ip_info: placeAt('203.0.113.7'),
        },
      ]),
    );
  });

  test('a session without recorded use has no fields about its use', async () => {
    await server.deps.db.query(sql`delete from events where project_id = ${scene.project.id}`);
    const [item] = itemsOf(await list({ level: 'server' }));
    expect(Object.keys(item ?? {})).toEqual(['id', 'user_id', 'created_at', 'is_impersonation', 'is_current_session']);
  });

  test('control 33: the place is that of the newest use, and absent when that has none', async () => {
    const places = async () => itemsOf(await list(as(ada))).map(item => item.last_used_at_end_user_ip_info);
    await refresh(ada.refreshToken, browser);
    expect(await places()).toEqual([placeAt('203.0.113.7')]);
    await refresh(ada.refreshToken, { ...browser, 'x-real-ip': '2001:db8::1', 'x-vercel-ip-latitude': '91' });
    expect(await places()).toEqual([placeAt('2001:db8::1')]);
    await refresh(ada.refreshToken, { ...browser, 'x-real-ip': "'; drop table events; --" });
    expect(await places()).toEqual([undefined]);
    await refresh(ada.refreshToken, browser);
    await refresh(ada.refreshToken);
    expect(await places()).toEqual([undefined]);
  });

  test('a session that a server opens has the place of the request, if the request has one', async () => {
    await create({}, { headers: browser });
    const [opened] = itemsOf(await list({ level: 'server' })).filter(({ id }) => id !== sessionIdOf(ada));
    expect(opened).toMatchObject({ last_used_at_end_user_ip_info: placeAt('203.0.113.7') });
  });

  test('a session that a person who manages the project opens does not show the user where that person is', async () => {
    const { headers } = await signInOwner(server, scene.project.id);
    expect(await create({}, { level: 'admin', headers: { ...browser, ...headers } })).toMatchObject({ status: 200 });
    const [opened] = itemsOf(await list(as(ada))).filter(({ id }) => id !== sessionIdOf(ada));
    expect(opened).not.toHaveProperty('last_used_at_end_user_ip_info');
  });

  test('a session has the place of its sign-in', async () => {
    const email = scene.address();
    const code = await scene.code('sign_in', { address: email, data: {} });
    const answer = await scene.call('POST /auth/otp/sign-in', { headers: browser, body: { code } });
    const { user_id, access_token } = (answer as unknown as { body: Record<string, string> }).body;
    expect(itemsOf(await list({ accessToken: access_token }, user_id))).toMatchObject([
      { last_used_at_end_user_ip_info: placeAt('203.0.113.7') },
    ]);
  });

  test('only a refresh counts as a use of a session', async () => {
    const before = server.clock.now();
    server.clock.advance(minute);
    await scene.call('GET /users/me', { ...as(ada), headers: browser });
    expect(itemsOf(await list(as(ada)))).toMatchObject([{ last_used_at: before }]);
  });

  test('expired sessions are not listed', async () => {
    await scene.session(ada.id, { expires_in_millis: minute });
    expect(itemsOf(await list({ level: 'server' }))).toHaveLength(2);
    server.clock.advance(minute);
    expect(idsOf(await list({ level: 'server' }))).toEqual([sessionIdOf(ada)]);
  });

  test('the current session is the one of the access token, at every level', async () => {
    await scene.session(ada.id);
    for (const level of ['client', 'server', 'admin'] as const) {
      const current = itemsOf(await list({ ...as(ada), level })).filter(item => item.is_current_session);
      expect(current).toMatchObject([{ id: sessionIdOf(ada) }]);
    }
    expect(itemsOf(await list({ level: 'server' })).filter(item => item.is_current_session)).toEqual([]);
  });

  test('control 34: impersonation sessions are listed for admins only, with the mark', async () => {
    const impersonation = await scene.session(ada.id, { is_impersonation: true });
    expect(idsOf(await list(as(ada)))).toEqual([sessionIdOf(ada)]);
    expect(idsOf(await list({ level: 'server' }))).toEqual([sessionIdOf(ada)]);
    expect(idsOf(await list(as(impersonation)))).toEqual([sessionIdOf(ada)]);
    const shown = itemsOf(await list({ level: 'admin' })).map(({ id, is_impersonation }) => [id, is_impersonation]);
    expect(new Map(shown as [string, boolean][])).toEqual(
      new Map([
        [sessionIdOf(ada), false],
        [sessionIdOf(impersonation), true],
      ]),
    );
  });

  test('a client lists the sessions of its own user only', async () => {
    const eve = await scene.person();
    expect(await list(as(eve))).toEqual(refused(403));
    expect(await list(as(eve), unknownUserId)).toEqual(refused(403));
    expect(await list()).toEqual(noUser);
    expect(await list({}, 'me')).toEqual(noUser);
    expect(idsOf(await list(as(eve), 'me'))).toEqual([sessionIdOf(eve)]);
    expect(idsOf(await list(as(eve), eve.id.toUpperCase()))).toEqual([sessionIdOf(eve)]);
  });

  test.each(['server', 'admin'] as const)('level %s lists the sessions of any user of the project', async level => {
    const eve = await scene.person();
    expect(idsOf(await list({ ...as(eve), level }))).toEqual([sessionIdOf(ada)]);
    expect(idsOf(await list({ ...as(eve), level }, 'me'))).toEqual([sessionIdOf(eve)]);
    expect(await list({ level }, 'me')).toEqual(noUser);
    expect(await list({ level }, unknownUserId)).toEqual(listed([]));
  });

  test('control 92: a user of another project has no sessions in this one', async () => {
    const elsewhere = await (await openScene(server)).person();
    expect(await list({ level: 'admin' }, elsewhere.id)).toEqual(listed([]));
  });

  test.each([{}, { user_id: '' }, { user_id: 'x' }, { more: '1' }])(
    'the query %j is refused with SCHEMA_ERROR at all levels',
    async query => {
      for (const level of ['client', 'server', 'admin'] as const) {
        expect(await scene.call('GET /auth/sessions', { ...as(ada), level, query })).toEqual(invalid);
      }
    },
  );
});

describe('DELETE /auth/sessions/{id}', () => {
  test.each(['client', 'server', 'admin'] as const)('ends a session at level %s', async level => {
    const second = await scene.session(ada.id);
    const who = level === 'client' ? as(ada) : {};
    expect(await end(sessionIdOf(second), { ...who, level })).toEqual(success);
    expect(await refresh(second.refreshToken)).toEqual({ status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
    expect(await scene.isLive(ada)).toBe(true);
    expect(await end(sessionIdOf(second), { ...who, level })).toEqual(refused(404));
  });

  test('a session id in capitals names the same session', async () => {
    const second = await scene.session(ada.id);
    expect(await end(sessionIdOf(second).toUpperCase(), as(ada))).toEqual(success);
    expect(await end(sessionIdOf(ada).toUpperCase(), as(ada))).toMatchObject({ code: 'CANNOT_DELETE_CURRENT_SESSION' });
  });

  test.each(['client', 'server', 'admin'] as const)(
    'control 35: the current session cannot be ended, at level %s',
    async level => {
      const current = { status: 400, code: 'CANNOT_DELETE_CURRENT_SESSION' };
      expect(await end(sessionIdOf(ada), { ...as(ada), level })).toEqual(current);
      expect(await scene.isLive(ada)).toBe(true);
    },
  );

  test('control 92: a session of another user or project answers 404', async () => {
    const eve = await scene.person();
    const elsewhere = await (await openScene(server)).person();
    expect(await end(sessionIdOf(eve), as(ada))).toEqual(refused(404));
    expect(await end(sessionIdOf(eve))).toEqual(refused(404));
    expect(await end(unknownUserId, as(ada))).toEqual(refused(404));
    for (const level of ['client', 'server', 'admin'] as const) {
      expect(await end(sessionIdOf(elsewhere), { ...as(ada), level })).toEqual(refused(404));
    }
    expect(await scene.isLive(eve)).toBe(true);
  });

  test('the user id in the query is validated and has no effect', async () => {
    const query = (user_id: string) => ({ params: { id: sessionIdOf(ada) }, query: { user_id } });
    const call = (options: CallOptions) => scene.call('DELETE /auth/sessions/{id}', options);
    expect(await call({ level: 'server', ...query('me') })).toEqual(noUser);
    expect(await call({ level: 'server', ...query('x') })).toEqual(invalid);
    expect(await call({ level: 'server', params: { id: sessionIdOf(ada) }, query: { more: '1' } })).toEqual(invalid);
    expect(await call({ level: 'server', ...query(unknownUserId) })).toEqual(success);
  });

  test('a malformed id is refused with SCHEMA_ERROR', async () => {
    expect(await end('x', as(ada))).toEqual(invalid);
  });

  test('of ten concurrent requests for one session, one succeeds', async () => {
    const second = await scene.session(ada.id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => end(sessionIdOf(second), as(ada))));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(refused(404)));
  });
});

test('listed sessions have UUIDs', async () => {
  expect(idsOf(await list({ level: 'server' }))).toEqual([anId]);
});
