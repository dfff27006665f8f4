import { type Route, sessionsPerUser } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  callback,
  noUser,
  openScene,
  type Person,
  personOf,
  plainPasswords,
  refused,
  type Scene,
} from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { credentialEnabled: true });
  ada = await scene.person();
});

const sessionList = z.object({ body: z.object({ items: z.array(z.object({ is_impersonation: z.boolean() })) }) });
const hour = 3_600_000;
const day = 24 * hour;
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const as = ({ accessToken }: Pick<Person, 'accessToken'>) => ({ accessToken });
const list = (options: CallOptions = {}) => scene.call('GET /extensions/sessions', options);
const endOthers = (options: CallOptions = {}) => scene.call('DELETE /extensions/sessions/others', options);
const bodyOf = (answer: unknown) => sessionList.parse(answer).body;
const ended = (count: number) => ({ status: 200, body: { success: true, ended: count } });
const sessionIdOf = ({ accessToken }: Pick<Person, 'accessToken'>): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).refreshTokenId;

describe('GET /extensions/sessions', () => {
  test('lists the sessions of the caller with device, place, last use and the current session', async () => {
    const email = scene.address();
    const body = { email, password: 'quiet lantern orbit', verification_callback_url: 'http://localhost:3000/verify' };
    const headers = { 'user-agent': firefox, 'x-real-ip': '203.0.113.7', 'cf-ipcountry': 'CH' };
    const eve = personOf(
      (await server.call('POST /auth/password/sign-up', { project: scene.project, headers, body })).json,
    );
    const now = server.clock.now();
    expect(await list(as(eve))).toEqual({
      status: 200,
      body: {
        items: [
          {
            id: sessionIdOf(eve),
            user_id: eve.id,
            created_at_millis: now,
            expires_at_millis: now + 365 * day,
            last_used_at_millis: now,
            is_current: true,
            is_impersonation: false,
            device: { browser: 'Firefox 140', system: 'Windows 10', type: 'desktop' },
            address: null,
            country_code: null,
            place: expect.objectContaining({ ip: '203.0.113.7', countryCode: 'CH' }),
          },
        ],
        is_paginated: false,
      },
    });
  });

  test('control 34: impersonation sessions are listed for admins only', async () => {
    server.clock.advance(1);
    await scene.session(ada.id, { is_impersonation: true });
    const query = { user_id: ada.id };
    const shown = async (options: CallOptions) => bodyOf(await list(options)).items.map(one => one.is_impersonation);
    expect(await shown(as(ada))).toEqual([false]);
    expect(await shown({ level: 'server', query })).toEqual([false]);
    expect(await shown({ level: 'admin', query })).toEqual([true, false]);
  });

  test('the address and the country are those that trusted hops report, whatever the caller states', async () => {
    const proxied = await openTestServer({ passwords: plainPasswords(), environment: { TESSERA_TRUST_PROXY: '1' } });
    const headers = {
      'user-agent': firefox,
      'x-real-ip': '192.0.2.1',
      'x-forwarded-for': '192.0.2.1, 198.51.100.4',
      'cf-ipcountry': 'CH',
      'x-vercel-ip-city': 'Bern',
    };
    const listAfterRefresh = async (host: TestServer, level: 'client' | 'server') => {
      const there = await openScene(host, { credentialEnabled: true });
      const { id, refreshToken } = await there.person();
      const refresh = { level, peerAddress: '203.0.113.9', headers, refreshToken };
      await there.call('POST /auth/sessions/current/refresh', refresh);
      await host.deps.activity.flush();
      return there.call('GET /extensions/sessions', { level: 'server', query: { user_id: id } });
    };
    const listed = (address: string | null, country_code: string | null) => ({
      body: { items: [{ address, country_code, place: { ip: '192.0.2.1', cityName: 'Bern' } }] },
    });
    try {
      expect(await listAfterRefresh(server, 'client')).toMatchObject(listed('203.0.113.9', null));
      expect(await listAfterRefresh(proxied, 'client')).toMatchObject(listed('198.51.100.4', 'CH'));
      expect(await listAfterRefresh(proxied, 'server')).toMatchObject(listed(null, null));
    } finally {
      await proxied.close();
    }
  });

  test('a sign-in records the address of the socket, a session that a server creates records none', async () => {
    const body = { email: scene.address(), password: 'quiet lantern orbit', verification_callback_url: callback };
    const signUp = { project: scene.project, peerAddress: '203.0.113.9', headers: { 'x-real-ip': '192.0.2.1' }, body };
    const { id } = personOf((await server.call('POST /auth/password/sign-up', signUp)).json);
    server.clock.advance(1);
    const created = { level: 'server', peerAddress: '203.0.113.10', body: { user_id: id } } as const;
    expect(await scene.call('POST /auth/sessions', created)).toMatchObject({ status: 200 });
    expect(await list({ level: 'server', query: { user_id: id } })).toMatchObject({
      body: { items: [{ address: null }, { address: '203.0.113.9' }] },
    });
  });

  test('a client is refused sessions of another user, and any without a user', async () => {
    const eve = await scene.person();
    expect(await list({ ...as(eve), query: { user_id: ada.id } })).toEqual(refused(403));
    expect(await list()).toEqual(noUser);
    expect(await list({ query: { user_id: ada.id } })).toEqual(noUser);
  });

  test('a server lists the sessions of any user of its project', async () => {
    const answer = await list({ level: 'server', query: { user_id: ada.id } });
    expect(answer).toMatchObject({ status: 200, body: { items: [{ id: sessionIdOf(ada), is_current: false }] } });
    const elsewhere = await openScene(server);
    const foreign = { level: 'server', query: { user_id: ada.id } } as const;
    expect(await elsewhere.call('GET /extensions/sessions', foreign)).toMatchObject({ body: { items: [] } });
  });
});

describe('DELETE /extensions/sessions/others', () => {
  test('ends all sessions of the user except the current one, impersonations included', async () => {
    const [second, impersonation] = [
      await scene.session(ada.id),
      await scene.session(ada.id, { is_impersonation: true }),
    ];
    const eve = await scene.person();
    expect(await endOthers(as(ada))).toEqual(ended(2));
    expect([await scene.isLive(ada), await scene.isLive(second), await scene.isLive(impersonation)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await scene.isLive(eve)).toBe(true);
    expect(await scene.call('GET /users/me', as(second))).toMatchObject({ code: 'ACCESS_TOKEN_EXPIRED' });
    expect(await endOthers(as(ada))).toEqual(ended(0));
  });

  test('a client ends no session of another user', async () => {
    const eve = await scene.person();
    expect(await endOthers({ ...as(eve), query: { user_id: ada.id } })).toEqual(refused(403));
    expect(await endOthers({ query: { user_id: ada.id } })).toEqual(noUser);
    expect(await scene.isLive(ada)).toBe(true);
  });

  test('a server ends all sessions of a user of its project only', async () => {
    const elsewhere = await openScene(server);
    const options = { level: 'server', query: { user_id: ada.id } } as const;
    expect(await elsewhere.call('DELETE /extensions/sessions/others', options)).toEqual(ended(0));
    expect(await scene.isLive(ada)).toBe(true);
    expect(await endOthers(options)).toEqual(ended(1));
    expect(await scene.isLive(ada)).toBe(false);
  });
});

describe('the session limit per user', () => {
  test('a new session above the limit ends the session with the oldest use', async () => {
    for (let index = 1; index < sessionsPerUser; index++) {
      server.clock.advance(1);
      await scene.session(ada.id);
    }
    server.clock.advance(1);
    expect(await scene.isLive(ada)).toBe(true);
    await server.deps.activity.flush();
    const oldest = await server.deps.db.query<{ id: string }>(sql`
      select id from sessions where project_id = ${scene.project.id} and user_id = ${ada.id}
      order by created_at_millis offset 1 limit 1
    `);
    await scene.session(ada.id);
    expect(await scene.sessionsOf(ada.id)).toBe(sessionsPerUser);
    const left = await server.deps.db.query(
      sql`select id from sessions where project_id = ${scene.project.id} and id = ${oldest[0]?.id ?? null}`,
    );
    expect([left, await scene.isLive(ada)]).toEqual([[], true]);
  });

  test('an expired session is ended before a live one', async () => {
    const expired = await scene.session(ada.id, { expires_in_millis: 0 });
    for (let index = 2; index < sessionsPerUser; index++) await scene.session(ada.id);
    expect(await scene.sessionsOf(ada.id)).toBe(sessionsPerUser);
    await scene.session(ada.id);
    expect([await scene.sessionsOf(ada.id), await scene.isLive(ada)]).toEqual([sessionsPerUser, true]);
    const left = await server.deps.db.query(
      sql`select id from sessions where project_id = ${scene.project.id} and id = ${sessionIdOf(expired)}`,
    );
    expect(left).toEqual([]);
  });

  const email = 'ada@example.com';
  const password = 'quiet lantern orbit';
  const opened = async (route: Route, more: object = {}) =>
    personOf((await server.call(route, { project: scene.project, body: { email, password, ...more } })).json);
  const signUp = () => opened('POST /auth/password/sign-up', { verification_callback_url: callback });
  const signIn = () => opened('POST /auth/password/sign-in');
  const repeat = async <T>(count: number, open: () => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    for (let index = 0; index < count; index++) {
      server.clock.advance(1);
      results.push(await open());
    }
    return results;
  };
  const areLive = async (sessions: readonly Pick<Person, 'refreshToken'>[]) => {
    const live: boolean[] = [];
    for (const session of sessions) live.push(await scene.isLive(session));
    return live;
  };

  test('sessions that a server opens end each other, and not the session that the user opened', async () => {
    const own = await signUp();
    const [first, ...others] = await repeat(sessionsPerUser, () => scene.session(own.id));
    expect(await scene.sessionsOf(own.id)).toBe(sessionsPerUser);
    expect(await scene.call('GET /users/me', as(own))).toMatchObject({ status: 200 });
    expect(await areLive([own, ...others.slice(0, 2)])).toEqual([true, true, true]);
    expect(first === undefined ? undefined : await scene.isLive(first)).toBe(false);
  });

  test('impersonations end each other, and no other session of the user', async () => {
    const own = await signUp();
    const ofServer = await scene.session(own.id);
    const impersonate = () => scene.session(own.id, { is_impersonation: true });
    const impersonations = await repeat(sessionsPerUser, impersonate);
    expect(await scene.sessionsOf(own.id)).toBe(sessionsPerUser);
    expect(await areLive([own, ofServer, ...impersonations.slice(0, 3)])).toEqual([true, true, false, false, true]);
  });

  test('a sign-in ends an expired session first, then an impersonation, then the session with the oldest use', async () => {
    const own = await signUp();
    const [second] = await repeat(sessionsPerUser - 3, signIn);
    const impersonation = await scene.session(own.id, { is_impersonation: true });
    const expired = await scene.session(own.id, { expires_in_millis: 0 });
    const isThere = async ({ accessToken }: Pick<Person, 'accessToken'>) => {
      const id = sessionIdOf({ accessToken });
      const rows = await server.deps.db.query(
        sql`select id from sessions where project_id = ${scene.project.id} and id = ${id}`,
      );
      return rows.length > 0;
    };
    const order = [expired, impersonation, own, ...(second === undefined ? [] : [second])];
    const left = async () => Promise.all(order.map(isThere));
    expect(await left()).toEqual([true, true, true, true]);
    await repeat(1, signIn);
    expect(await left()).toEqual([false, true, true, true]);
    await repeat(1, signIn);
    expect(await left()).toEqual([false, false, true, true]);
    await repeat(1, signIn);
    expect(await left()).toEqual([false, false, false, true]);
  });

  test('without a session that it may end, a session of a server or an impersonation exceeds the limit by one', async () => {
    const own = await signUp();
    await repeat(sessionsPerUser - 1, signIn);
    await repeat(2, () => scene.session(own.id));
    expect(await scene.sessionsOf(own.id)).toBe(sessionsPerUser + 1);
    await repeat(2, () => scene.session(own.id, { is_impersonation: true }));
    expect([await scene.sessionsOf(own.id), await scene.isLive(own)]).toEqual([sessionsPerUser + 2, true]);
    await signIn();
    expect(await scene.sessionsOf(own.id)).toBe(sessionsPerUser);
  });
});

test('after a day of refreshes only the activity of the last hour is stored, and the last use is exact', async () => {
  const { db, activity } = server.deps;
  const refresh = () => scene.call('POST /auth/sessions/current/refresh', { refreshToken: ada.refreshToken });
  for (let index = 0; index < 144; index++) {
    server.clock.advance(hour / 6);
    await refresh();
    await activity.flush();
    await db.query(sql`update metric_progress set added_up_id = (select max(id) from events)`);
  }
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from events where project_id = ${scene.project.id} and user_id = ${ada.id}`,
  );
  expect(row?.count).toBeLessThanOrEqual(8);
  expect(await list({ level: 'server', query: { user_id: ada.id } })).toMatchObject({
    body: { items: [{ last_used_at_millis: server.clock.now() }] },
  });
  expect(await scene.userById(ada.id)).toMatchObject({ last_active_at_millis: server.clock.now() });
});

test('activity that the metrics have not counted yet is kept', async () => {
  const { db, activity } = server.deps;
  await db.query(sql`update metric_progress set added_up_id = 0`);
  for (let index = 0; index < 3; index++) {
    server.clock.advance(2 * hour);
    await scene.call('POST /auth/sessions/current/refresh', { refreshToken: ada.refreshToken });
    await activity.flush();
  }
  const rows = await db.query(
    sql`select id from events where project_id = ${scene.project.id} and user_id = ${ada.id}`,
  );
  expect(rows).toHaveLength(4);
});
