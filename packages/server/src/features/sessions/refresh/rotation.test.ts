import { rateLimits } from '@tessera/protocol';
import { aSecret, aToken } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { whileDeleting, whileWaitingToWrite } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { openScene, type Person, plainPasswords, type Scene, success } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let beside: TestServer;
let scene: Scene;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  beside = await openTestServer({ passwords: plainPasswords(), beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});
beforeEach(async () => {
  scene = await openScene(server, { rotatesRefreshTokens: true });
  ada = await scene.person();
});

const ended = { status: 401, code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' };
const renewed = z.strictObject({ access_token: z.string(), refresh_token: z.string() });

const ask = (refreshToken: string) => scene.call('POST /auth/sessions/current/refresh', { refreshToken });

async function next(refreshToken: string, where = server): Promise<string> {
  const answer = await where.call('POST /auth/sessions/current/refresh', { project: scene.project, refreshToken });
  return renewed.parse(answer.json).refresh_token;
}

async function reuses(): Promise<unknown[]> {
  const query = { action: 'session.token_reused' };
  const options = { project: scene.project, level: 'admin', query } as const;
  const { json } = await server.call('GET /internal/extensions/audit-log', options);
  return z.object({ items: z.array(z.looseObject({})) }).parse(json).items;
}

describe('control 25: in a project that rotates refresh tokens', () => {
  test('a refresh returns a new refresh token', async () => {
    expect(await ask(ada.refreshToken)).toEqual({
      status: 200,
      body: { access_token: aToken, refresh_token: aSecret },
    });
    const second = await next(ada.refreshToken);
    expect(second).not.toBe(ada.refreshToken);
    expect(await next(second)).not.toBe(second);
    expect(await scene.sessionsOf(ada.id)).toBe(1);
  });

  test('the token endpoint returns a new refresh token', async () => {
    const body = {
      grant_type: 'refresh_token',
      refresh_token: ada.refreshToken,
      client_id: scene.project.id,
      client_secret: scene.project.publishableClientKey,
    };
    expect(await scene.call('POST /auth/oauth/token', { level: null, body })).toEqual({
      status: 200,
      body: { access_token: aToken, refresh_token: aSecret, token_type: 'Bearer', expires_in: 600, scope: 'legacy' },
    });
  });

  test('a repeated refresh within 30 seconds returns the same successor, in every process', async () => {
    const second = await next(ada.refreshToken);
    server.clock.advance(15_000);
    expect(await next(ada.refreshToken, beside)).toBe(second);
    server.clock.advance(15_000);
    expect(await next(ada.refreshToken)).toBe(second);
    expect(await reuses()).toEqual([]);
    expect(await ask(second)).toMatchObject({ status: 200 });
  });

  test('a repeated refresh after 30 seconds returns another successor as long as the first was not used', async () => {
    const lost = [await next(ada.refreshToken)];
    for (const waitedMs of [30_001, 3_600_000, 20 * 86_400_000]) {
      server.clock.advance(waitedMs);
      lost.push(await next(ada.refreshToken));
    }
    expect(new Set(lost).size).toBe(4);
    expect(await ask(lost.at(-1) ?? '')).toMatchObject({ status: 200 });
    expect(await scene.sessionsOf(ada.id)).toBe(1);
    expect(await reuses()).toEqual([]);
  });

  test('a repeated refresh after the use of the successor ends the session and is in the audit log', async () => {
    const third = await next(await next(ada.refreshToken));
    server.clock.advance(30_001);
    expect(await ask(ada.refreshToken)).toEqual(ended);
    expect(await ask(third)).toEqual(ended);
    expect(await scene.sessionsOf(ada.id)).toBe(0);
    expect(await reuses()).toMatchObject([{ user_id: ada.id, actor: { type: 'client', id: null } }]);
  });

  test('a replaced successor is exchanged for its replacement within 30 seconds', async () => {
    const late = await next(ada.refreshToken);
    server.clock.advance(30_001);
    const inItsPlace = await next(ada.refreshToken);
    server.clock.advance(30_000);
    expect(await next(late)).toBe(inItsPlace);
    expect(await next(ada.refreshToken)).toBe(inItsPlace);
    expect(await ask(inItsPlace)).toMatchObject({ status: 200 });
    expect(await reuses()).toEqual([]);
  });

  test('a replaced successor that is used after 30 seconds ends the session', async () => {
    const first = await next(ada.refreshToken);
    server.clock.advance(30_001);
    const second = await next(ada.refreshToken);
    server.clock.advance(30_001);
    expect(await ask(first)).toEqual(ended);
    expect(await ask(second)).toEqual(ended);
    expect(await reuses()).toMatchObject([{ user_id: ada.id }]);
  });

  test('a refresh token that is several exchanges old ends the session', async () => {
    let token = ada.refreshToken;
    for (let exchange = 0; exchange < 5; exchange++) {
      token = await next(token);
      server.clock.advance(600_000);
    }
    expect(await ask(ada.refreshToken)).toEqual(ended);
    expect(await ask(token)).toEqual(ended);
  });

  test('the end of one session leaves the other sessions of the user open', async () => {
    const other = await scene.session(ada.id);
    await next(await next(ada.refreshToken));
    server.clock.advance(30_001);
    expect(await ask(ada.refreshToken)).toEqual(ended);
    expect(await ask(other.refreshToken)).toMatchObject({ status: 200 });
  });

  describe('control 104: above 600 exchanges of a session in an hour', () => {
    const tooMany = { status: 429, says: 'a sentence' };
    const key = () => sql`like ${`tokenExchangesPerSession:${scene.project.id}:%`}`;
    const exhaust = () =>
      server.deps.db.query(sql`
        update rate_limits set points = ${rateLimits.tokenExchangesPerSession.points} where key ${key()}
      `);

    test('a refresh is refused, and the session and its other tokens stay', async () => {
      const other = await scene.session(ada.id);
      const second = await next(ada.refreshToken);
      await exhaust();
      expect(await ask(second)).toEqual(tooMany);
      expect(await next(ada.refreshToken)).toBe(second);
      expect(await ask(other.refreshToken)).toMatchObject({ status: 200 });
      await server.deps.db.query(sql`delete from rate_limits where key ${key()}`);
      // The first process remembers that the limit is reached.
      expect(await next(await next(second, beside), beside)).not.toBe(second);
    });

    test('a refresh of a session whose tokens do not rotate is not counted', async () => {
      await scene.configure({ rotatesRefreshTokens: false });
      expect(await ask(ada.refreshToken)).toMatchObject({ status: 200 });
      expect(await server.deps.db.query(sql`select key from rate_limits where key ${key()}`)).toEqual([]);
    });
  });

  test('rotation does not extend the life of a session', async () => {
    const { refreshToken } = await scene.session(ada.id, { expires_in_millis: 1_000 });
    const second = await next(refreshToken);
    server.clock.advance(1_000);
    expect([await ask(refreshToken), await ask(second)]).toEqual([ended, ended]);
    expect(await reuses()).toEqual([]);
  });

  test('the database does not contain a successor', async () => {
    const second = await next(ada.refreshToken);
    const rows = await server.deps.db.query<{ text: string }>(sql`
      select to_json(s)::text || coalesce((select json_agg(r)::text from rotated_refresh_tokens r), '') as text
      from sessions s where s.project_id = ${scene.project.id}
    `);
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(second);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(second).toString('hex'));
  });

  test('after rotation is switched off, tokens are not exchanged, and a previous token still ends the session', async () => {
    const second = await next(ada.refreshToken);
    await scene.configure({ rotatesRefreshTokens: false });
    expect(await ask(second)).toEqual({ status: 200, body: { access_token: aToken } });
    expect(await ask(second)).toMatchObject({ status: 200 });
    server.clock.advance(30_001);
    expect(await ask(ada.refreshToken)).toEqual(ended);
    expect(await ask(second)).toEqual(ended);
  });

  test('a CLI login gets a session of its own', async () => {
    const begun = await scene.call('POST /auth/cli');
    const login = 'body' in begun ? (begun.body as { polling_code: string; login_code: string }) : undefined;
    const body = { login_code: login?.login_code, refresh_token: ada.refreshToken };
    const { accessToken } = ada;
    expect(await scene.call('POST /auth/cli/complete', { accessToken, body })).toMatchObject({ status: 200 });
    const polled = await scene.call('POST /auth/cli/poll', { body: { polling_code: login?.polling_code } });
    const { refresh_token: own } = z.looseObject({ refresh_token: z.string() }).parse('body' in polled && polled.body);
    expect(own).not.toBe(ada.refreshToken);
    await next(own);
    await next(ada.refreshToken);
    server.clock.advance(30_001);
    expect(await scene.sessionsOf(ada.id)).toBe(2);
  });
});

test('a password change keeps the session open while another tab exchanges its refresh token', async () => {
  const [email, password] = [scene.address(), 'correct horse'];
  const eve = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password });
  const other = await scene.session(eve.id);
  const { accessToken, refreshToken } = eve;
  const successor = await next(refreshToken);
  const body = { old_password: password, new_password: 'another password' };
  expect(await scene.call('POST /auth/password/update', { accessToken, refreshToken, body })).toEqual(success);
  expect(await ask(successor)).toMatchObject({ status: 200 });
  expect(await ask(other.refreshToken)).toEqual(ended);
});

test('a CLI login for a user who is deleted concurrently completes, and its first refresh is refused', async () => {
  const begun = await scene.call('POST /auth/cli');
  const login = 'body' in begun ? (begun.body as { polling_code: string; login_code: string }) : undefined;
  const body = { login_code: login?.login_code, refresh_token: ada.refreshToken };
  const complete = () => scene.call('POST /auth/cli/complete', { level: 'server', body });
  expect(await whileDeleting(server, ada.id, complete)).toEqual(success);
  const polled = await scene.call('POST /auth/cli/poll', { body: { polling_code: login?.polling_code } });
  expect(polled).toEqual({ status: 201, body: { status: 'success', refresh_token: ada.refreshToken } });
  expect(await ask(ada.refreshToken)).toEqual(ended);
});

describe('control 26: concurrent refreshes', () => {
  test('50 with one token return one successor and keep the session open', async () => {
    const successors = await Promise.all(
      Array.from({ length: 50 }, (_, index) => next(ada.refreshToken, index % 2 === 0 ? server : beside)),
    );
    expect(new Set(successors).size).toBe(1);
    expect(await ask(successors[0] ?? '')).toMatchObject({ status: 200 });
    expect(await scene.sessionsOf(ada.id)).toBe(1);
    expect(await reuses()).toEqual([]);
  });

  test('control 25: 50 after a lost response return one new successor', async () => {
    const lost = await next(ada.refreshToken);
    server.clock.advance(30_001);
    const successors = await Promise.all(
      Array.from({ length: 50 }, (_, index) => next(ada.refreshToken, index % 2 === 0 ? server : beside)),
    );
    expect(new Set(successors).size).toBe(1);
    expect(successors[0]).not.toBe(lost);
    expect(await ask(successors[0] ?? '')).toMatchObject({ status: 200 });
    expect(await reuses()).toEqual([]);
  });

  test('control 25: a late refresh concurrent with one of its successor never leaves two usable tokens', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await scene.session(ada.id);
      const successor = await next(session.refreshToken);
      server.clock.advance(30_001);
      const both = await Promise.all([ask(session.refreshToken), ask(successor)]);
      // When the older token is first, its response replaces the successor, and the newer token works for 30 s only.
      expect(both.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
      server.clock.advance(30_001);
      expect([await ask(successor), await ask(session.refreshToken)]).toEqual([ended, ended]);
    }
    expect(await reuses()).toHaveLength(10);
  });

  test('control 25: two late uses of an old token end the session once, with one audit event', async () => {
    await next(await next(ada.refreshToken));
    server.clock.advance(30_001);
    const use = () => ask(ada.refreshToken);
    const both = await whileWaitingToWrite(server, sql`sessions`, { action: use, change: use });
    expect(both).toMatchObject({ action: ended, change: ended });
    expect(await reuses()).toHaveLength(1);
  });

  test('control 27: a concurrent sign-out ends the session in any order', async () => {
    for (let round = 0; round < 10; round++) {
      const { accessToken, refreshToken } = await scene.session(ada.id);
      const refreshes = Array.from({ length: 5 }, () => ask(refreshToken));
      const signOut = scene.call('DELETE /auth/sessions/current', { accessToken });
      const answers = await Promise.all([...refreshes, signOut]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await ask(refreshToken)).toEqual(ended);
    }
    expect(await scene.sessionsOf(ada.id)).toBe(1);
    expect(await reuses()).toEqual([]);
  });
});

test('a project without rotation returns no refresh token', async () => {
  scene = await openScene(server);
  ada = await scene.person();
  expect(await ask(ada.refreshToken)).toEqual({ status: 200, body: { access_token: aToken } });
  expect(await ask(ada.refreshToken)).toEqual({ status: 200, body: { access_token: aToken } });
});
