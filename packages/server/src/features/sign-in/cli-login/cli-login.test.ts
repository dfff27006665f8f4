import { refreshTokenOverlapMs } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { aSecret } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, openScene, type Person, refused, type Scene, success } from '../scene.fixtures.ts';

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

const hour = 3_600_000;
const unknown = { status: 400, code: 'INVALID_POLLING_CODE' };
const is = (status: string) => ({ status: 200, body: { status } });
const handedOut = (refresh_token: string) => ({ status: 201, body: { status: 'success', refresh_token } });
const startedUntil = (atMillis: number) => ({
  status: 200,
  body: { polling_code: aSecret, login_code: aSecret, expires_at: new Date(atMillis).toISOString() },
});

const start = (body?: unknown, options: CallOptions = {}) => scene.call('POST /auth/cli', { ...options, body });
const poll = (polling_code: string, options: CallOptions = {}) =>
  scene.call('POST /auth/cli/poll', { ...options, body: { polling_code } });
const complete = (login_code: string, refresh_token = ada.refreshToken, options: CallOptions = {}) =>
  scene.call('POST /auth/cli/complete', { ...options, body: { login_code, refresh_token } });
const decline = (login_code: string, options: CallOptions = {}) =>
  scene.call('POST /extensions/cli-logins/decline', { ...options, body: { login_code } });

async function started(body?: object): Promise<{ pollingCode: string; loginCode: string }> {
  const answer = (await start(body)) as unknown as { body: { polling_code: string; login_code: string } };
  return { pollingCode: answer.body.polling_code, loginCode: answer.body.login_code };
}

/** The refresh token of a program whose login a session completes. */
async function programTokenOf(refreshToken: string): Promise<string> {
  const { pollingCode, loginCode } = await started();
  await complete(loginCode, refreshToken, { level: 'server' });
  const answer = (await poll(pollingCode)) as unknown as { body: { refresh_token: string } };
  return answer.body.refresh_token;
}

/** The successor of a refresh token. */
async function refreshed(refreshToken: string): Promise<string> {
  const answer = await scene.call('POST /auth/sessions/current/refresh', { refreshToken });
  return (answer as unknown as { body: { refresh_token: string } }).body.refresh_token;
}

describe('POST /auth/cli', () => {
  test.each(['client', 'server', 'admin'] as const)('starts a login of two hours at level %s', async level => {
    expect(await start(undefined, { level })).toEqual(startedUntil(server.clock.now() + 2 * hour));
  });

  test.each([
    [{}, 2 * hour],
    [{ expires_in_millis: 24 * hour }, 24 * hour],
    [{ expires_in_millis: 60_000 }, 60_000],
    [{ expires_in_millis: '60000' }, 60_000],
    [{ expires_in_millis: 1.5 }, 1],
    [{ expires_in_millis: 0 }, 0],
    [{ expires_in_millis: -1 }, 0],
  ])('with %j the login expires after %i ms', async (body, lifetimeMs) => {
    expect(await start(body)).toEqual(startedUntil(server.clock.now() + lifetimeMs));
  });

  test.each([{ expires_in_millis: -1e15 }, { expires_in_millis: -1e300 }])(
    '%j is accepted, and the login is expired at once',
    async body => {
      expect(await start(body)).toMatchObject({ status: 200 });
      const { pollingCode } = await started(body);
      expect(await poll(pollingCode)).toEqual(is('expired'));
    },
  );

  test.each([
    [{ expires_in_millis: 24 * hour + 1 }],
    [{ expires_in_millis: null }],
    [{ expires_in_millis: 'soon' }],
    [{ more: 1 }],
    [[]],
  ])('refuses %j', async body => {
    expect(await start(body)).toEqual(invalid);
  });
});

describe('POST /auth/cli/poll', () => {
  test.each(['client', 'server', 'admin'] as const)(
    'answers waiting, success once, then used, at level %s',
    async level => {
      const { pollingCode, loginCode } = await started();
      expect([await poll(pollingCode, { level }), await poll(pollingCode, { level })]).toEqual([
        is('waiting'),
        is('waiting'),
      ]);
      expect(await complete(loginCode, undefined, { level })).toEqual(success);
      expect([await poll(pollingCode, { level }), await poll(pollingCode, { level })]).toEqual([
        handedOut(ada.refreshToken),
        is('used'),
      ]);
    },
  );

  test('returns the refresh token of the browser, which signs the program in', async () => {
    const { pollingCode, loginCode } = await started();
    await complete(loginCode);
    await poll(pollingCode);
    expect(await scene.isLive(ada)).toBe(true);
    expect(await scene.sessionsOf(ada.id)).toBe(1);
  });

  test('of 50 concurrent polls one gets the token', async () => {
    const { pollingCode, loginCode } = await started();
    await complete(loginCode);
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(pollingCode)));
    expect(answers.filter(({ status }) => status === 201)).toEqual([handedOut(ada.refreshToken)]);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(49).fill(is('used')));
  });

  test('answers expired after the end of the login: waiting, completed or used', async () => {
    const [waiting, completed, taken] = [await started(), await started(), await started()];
    await complete(completed.loginCode);
    await complete(taken.loginCode);
    await poll(taken.pollingCode);
    server.clock.advance(2 * hour - 1);
    expect(await poll(waiting.pollingCode)).toEqual(is('waiting'));
    expect(await poll(taken.pollingCode)).toEqual(is('used'));
    server.clock.advance(1);
    for (const { pollingCode } of [waiting, completed, taken]) expect(await poll(pollingCode)).toEqual(is('expired'));
  });

  test('a polling code of another project is refused with INVALID_POLLING_CODE', async () => {
    const { pollingCode, loginCode } = await started();
    const elsewhere = await openScene(server);
    const { body } = (await elsewhere.call('POST /auth/cli')) as unknown as { body: { polling_code: string } };
    for (const code of ['', 'x', '0'.repeat(45), loginCode, body.polling_code, 'x'.repeat(10_000)]) {
      expect(await poll(code)).toEqual(unknown);
    }
    expect(await poll(pollingCode)).toEqual(is('waiting'));
  });

  test.each([{}, { polling_code: null }, { polling_code: 'x', more: 1 }])('refuses %j', async body => {
    expect(await scene.call('POST /auth/cli/poll', { body })).toEqual(invalid);
  });
});

describe('POST /auth/cli/complete', () => {
  test('needs no user session, and stores the refresh token of the body', async () => {
    const eve = await scene.person();
    const { pollingCode, loginCode } = await started();
    expect(await complete(loginCode, ada.refreshToken, { accessToken: eve.accessToken })).toEqual(success);
    expect(await poll(pollingCode)).toEqual(handedOut(ada.refreshToken));
  });

  test('a second completion is refused', async () => {
    const eve = await scene.person();
    const { pollingCode, loginCode } = await started();
    expect(await complete(loginCode)).toEqual(success);
    expect(await complete(loginCode, eve.refreshToken)).toEqual(refused(400));
    expect(await poll(pollingCode)).toEqual(handedOut(ada.refreshToken));
    expect(await complete(loginCode, eve.refreshToken)).toEqual(refused(400));
    expect(await poll(pollingCode)).toEqual(is('used'));
  });

  test('of concurrent completions one succeeds', async () => {
    const { pollingCode, loginCode } = await started();
    const people = await Promise.all(Array.from({ length: 10 }, () => scene.person()));
    const answers = await Promise.all(people.map(person => complete(loginCode, person.refreshToken)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    const winner = people[answers.findIndex(({ status }) => status === 200)];
    expect(await poll(pollingCode)).toEqual(handedOut(winner?.refreshToken ?? ''));
  });

  test('a completion after the end of the login is refused', async () => {
    const { loginCode } = await started({ expires_in_millis: 60_000 });
    server.clock.advance(60_000);
    expect(await complete(loginCode)).toEqual(refused(400));
  });

  test('refuses an unknown login code, one of another project, and a polling code', async () => {
    const { pollingCode } = await started();
    const elsewhere = await openScene(server);
    const { body } = (await elsewhere.call('POST /auth/cli')) as unknown as { body: { login_code: string } };
    for (const code of ['', 'x', '0'.repeat(45), pollingCode, body.login_code]) {
      expect(await complete(code)).toEqual(refused(400));
    }
  });

  test('control 30: an unknown refresh token is passed on to the program, and opens no session', async () => {
    const elsewhere = await openScene(server);
    const foreign = await elsewhere.person();
    const ended = await scene.person();
    await scene.call('DELETE /auth/sessions/current', { accessToken: ended.accessToken });
    for (const token of ['garbage', foreign.refreshToken, ended.refreshToken]) {
      const { pollingCode, loginCode } = await started();
      expect(await complete(loginCode, token)).toEqual(success);
      expect(await poll(pollingCode)).toEqual(handedOut(token));
      const refresh = await scene.call('POST /auth/sessions/current/refresh', {
        headers: { 'x-stack-refresh-token': token },
      });
      expect(refresh).toMatchObject({ code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
    }
  });

  test('a refresh token of more than 500 characters is refused, and the login stays open', async () => {
    const { pollingCode, loginCode } = await started();
    expect(await complete(loginCode, 'x'.repeat(501))).toEqual(invalid);
    expect(await poll(pollingCode)).toEqual(is('waiting'));
    expect(await complete(loginCode, 'x'.repeat(500))).toEqual(success);
    expect(await poll(pollingCode)).toEqual(handedOut('x'.repeat(500)));
  });

  test('control 34: a login that an impersonation session completes is an impersonation and ends with that session', async () => {
    await scene.configure({ rotatesRefreshTokens: true });
    const impersonation = await scene.session(ada.id, { is_impersonation: true });
    server.clock.advance(hour / 2);
    const { pollingCode, loginCode } = await started();
    expect(await complete(loginCode, impersonation.refreshToken, { level: 'server' })).toEqual(success);
    const { refresh_token: refreshToken } = (
      (await poll(pollingCode)) as unknown as { body: { refresh_token: string } }
    ).body;
    const query = { user_id: ada.id };
    const sessions = await scene.call('GET /auth/sessions', { level: 'admin', query });
    const { items } = (sessions as unknown as { body: { items: { is_impersonation: boolean }[] } }).body;
    // Two of them start in the same millisecond, so their order is not fixed.
    expect(items.map(item => item.is_impersonation).sort()).toEqual([false, true, true]);
    server.clock.advance(hour / 2);
    expect(await scene.isLive({ refreshToken })).toBe(false);
  });

  test('control 25: a token that another tab has just exchanged gives the program a session of its own', async () => {
    await scene.configure({ rotatesRefreshTokens: true });
    const browser = await refreshed(ada.refreshToken);
    server.clock.advance(refreshTokenOverlapMs);
    const program = await programTokenOf(ada.refreshToken);
    const [nextBrowser, nextProgram] = [await refreshed(browser), await refreshed(program)];
    server.clock.advance(hour);
    expect([await refreshed(nextBrowser), await refreshed(nextProgram)]).toEqual([aSecret, aSecret]);
    expect(await scene.sessionsOf(ada.id)).toBe(2);
  });

  test('control 25: a client needs the access token of the session, too', async () => {
    await scene.configure({ rotatesRefreshTokens: true });
    const other = await scene.session(ada.id);
    const { pollingCode, loginCode } = await started();
    for (const accessToken of [undefined, other.accessToken]) {
      const answer = await complete(loginCode, ada.refreshToken, accessToken === undefined ? {} : { accessToken });
      expect(answer).toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' });
    }
    expect(await poll(pollingCode)).toEqual(is('waiting'));
    expect(await complete(loginCode, ada.refreshToken, { accessToken: ada.accessToken })).toEqual(success);
    expect(await poll(pollingCode)).toEqual(handedOut(expect.not.stringContaining(ada.refreshToken)));
  });

  test('control 25: a token that was exchanged longer ago opens no session', async () => {
    await scene.configure({ rotatesRefreshTokens: true });
    await refreshed(ada.refreshToken);
    server.clock.advance(refreshTokenOverlapMs + 1);
    expect(await programTokenOf(ada.refreshToken)).toBe(ada.refreshToken);
    expect(await scene.sessionsOf(ada.id)).toBe(1);
  });

  test.each([
    ['its expiry time', { expires_in_millis: hour }, {}],
    ['the maximum age of the project', { expires_in_millis: 24 * hour }, { sessionLifetimeMs: hour }],
  ])(
    'control 28: logins that a session completes one after the other end with it, at %s',
    async (_, fields, config) => {
      let { refreshToken } = await scene.session(ada.id, fields);
      await scene.configure({ rotatesRefreshTokens: true, ...config });
      for (let hop = 1; hop <= 3; hop++) {
        server.clock.advance(hour / 4);
        refreshToken = await programTokenOf(refreshToken);
      }
      server.clock.advance(hour / 4 - 1);
      expect(await scene.isLive({ refreshToken })).toBe(true);
      server.clock.advance(1);
      expect(await scene.isLive({ refreshToken })).toBe(false);
    },
  );

  test('control 68: a login that an old session completes does not count as a recent sign-in', async () => {
    await scene.configure({ rotatesRefreshTokens: true, freshSignInWithinMs: 10 * 60_000 });
    server.clock.advance(11 * 60_000);
    const { pollingCode, loginCode } = await started();
    expect(await complete(loginCode, undefined, { level: 'server' })).toEqual(success);
    const { refresh_token: refreshToken } = (
      (await poll(pollingCode)) as unknown as { body: { refresh_token: string } }
    ).body;
    const program = (await scene.call('POST /auth/sessions/current/refresh', {
      headers: { 'x-stack-refresh-token': refreshToken },
    })) as unknown as { body: { access_token: string } };
    const addAddress = (accessToken: string) =>
      scene.call('POST /contact-channels', {
        accessToken,
        body: { user_id: 'me', type: 'email', value: scene.address(), used_for_auth: false },
      });
    expect(await addAddress(program.body.access_token)).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    const { accessToken } = await scene.session(ada.id);
    expect(await addAddress(accessToken)).toMatchObject({ status: 201 });
  });

  test.each([{}, { login_code: 'x' }, { refresh_token: 'x' }, { login_code: 'x', refresh_token: 'x', more: 1 }])(
    'refuses %j',
    async body => {
      expect(await scene.call('POST /auth/cli/complete', { body })).toEqual(invalid);
    },
  );
});

describe('POST /extensions/cli-logins/decline', () => {
  test.each(['client', 'server', 'admin'] as const)('ends an open login as expired, at level %s', async level => {
    const { pollingCode, loginCode } = await started();
    const other = await started();
    expect(await decline(loginCode, { level })).toEqual(success);
    expect(await poll(pollingCode)).toEqual(is('expired'));
    expect(await complete(loginCode)).toEqual(refused(400));
    expect(await poll(other.pollingCode)).toEqual(is('waiting'));
  });

  test('refuses a completed login, which the program still picks up', async () => {
    const { pollingCode, loginCode } = await started();
    await complete(loginCode);
    expect(await decline(loginCode)).toEqual(refused(400));
    expect(await poll(pollingCode)).toEqual(handedOut(ada.refreshToken));
  });

  test('refuses a declined login, an unknown code, one of another project, and a polling code', async () => {
    const { pollingCode, loginCode } = await started();
    await decline(loginCode);
    const elsewhere = await openScene(server);
    const { body } = (await elsewhere.call('POST /auth/cli')) as unknown as { body: { login_code: string } };
    for (const code of [loginCode, '', 'x', pollingCode, body.login_code]) {
      expect(await decline(code)).toEqual(refused(400));
    }
  });

  test.each([{}, { login_code: null }, { login_code: 'x', more: 1 }])('refuses %j', async body => {
    expect(await scene.call('POST /extensions/cli-logins/decline', { body })).toEqual(invalid);
  });
});

test('control 15: neither codes nor refresh token are readable in the database, and the poll erases the token', async () => {
  const { pollingCode, loginCode } = await started();
  await complete(loginCode);
  const stored = () =>
    server.deps.db.query<{ text: string; refreshToken: Buffer | null }>(sql`
      select to_json(l)::text as text, refresh_token as "refreshToken" from cli_logins l
      where project_id = ${scene.project.id}
    `);
  const [row] = await stored();
  for (const text of [pollingCode, loginCode, ada.refreshToken]) {
    expect(row?.text).not.toContain(text);
    expect(row?.text).not.toContain(Buffer.from(text).toString('hex'));
  }
  await poll(pollingCode);
  expect(await stored()).toMatchObject([{ refreshToken: null }]);
});
