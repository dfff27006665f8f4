import { createHmac } from 'node:crypto';
import type { Route } from '@tessera/protocol';
import { type CallOptions, internalKeys, type ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { allWork } from '../../compose.ts';
import { refuse } from '../../http/refusal.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { CommitUnknown, DatabaseAway, transaction } from '../../platform/database/database.ts';
import { purgeTask } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';
import { createRunOnce } from './run-once.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  project = await server.make.project();
});
afterAll(() => server.close());

let keys = 0;
const newKey = () => `key-for-one-write-${++keys}`;
const day = 24 * 3600 * 1000;

function createUser(key: string, body: object, where: ProjectAccess = project) {
  return server.call('POST /users', { project: where, level: 'server', body, headers: { 'idempotency-key': key } });
}

async function countUsers(name: string): Promise<number> {
  const answer = await server.call('GET /users', { project, level: 'server', query: { query: name } });
  return (answer.json as { items: unknown[] }).items.length;
}

async function countKeys(): Promise<number> {
  return (await server.deps.db.query(sql`select scope_hash from idempotency_keys`)).length;
}

const refusal = (status: number) => ({ status, says: 'a sentence' });

describe('a write with an idempotency key', () => {
  test('a repeated request runs once and gets the first response', async () => {
    const key = newKey();
    const first = await createUser(key, { display_name: 'Once' });
    const second = await createUser(key, { display_name: 'Once' });
    expect(first.status).toBe(201);
    expect(outcome(second)).toEqual(outcome(first));
    expect(await countUsers('Once')).toBe(1);
  });

  test('concurrent requests with one key make one user', async () => {
    const key = newKey();
    const answers = await Promise.all([1, 2, 3].map(() => createUser(key, { display_name: 'Parallel' })));
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(outcome(answer)).toEqual(refusal(409));
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect(await countUsers('Parallel')).toBe(1);
  });

  test('another body under the same key is refused with 422', async () => {
    const key = newKey();
    await createUser(key, { display_name: 'Body A' });
    expect(outcome(await createUser(key, { display_name: 'Body B' }))).toEqual(refusal(422));
    expect(await countUsers('Body B')).toBe(0);
  });

  test('the stored hash of a request does not confirm a guessed password, also not with the key of the write', async () => {
    const key = newKey();
    const body = { primary_email: 'hashed@example.com', primary_email_auth_enabled: true, password: 'correct horse' };
    const other = await server.make.project();
    expect((await createUser(key, body, other)).status).toBe(201);
    const [row] = await server.deps.db.query<{ requestHash: Buffer }>(sql`
      select request_hash as "requestHash" from idempotency_keys where project_id = ${other.id}
    `);
    const request = [{}, {}, body];
    const guesses = [request, [key, request]].flatMap(guess => [
      sha256(JSON.stringify(guess)),
      createHmac('sha256', key).update(JSON.stringify(guess)).digest(),
    ]);
    expect(row?.requestHash).toHaveLength(32);
    expect(guesses.some(guess => row?.requestHash.equals(guess))).toBe(false);
  });

  test('the same key in another project or on another route is a different key', async () => {
    const key = newKey();
    const other = await server.make.project();
    await createUser(key, { display_name: 'Scope' });
    expect((await createUser(key, { display_name: 'Scope' }, other)).status).toBe(201);
    const headers = { 'idempotency-key': key };
    const team = await server.call('POST /teams', {
      project,
      level: 'server',
      body: { display_name: 'Scope' },
      headers,
    });
    expect(team.status).toBe(201);
  });

  test('the response for one user is not given to another user with the same key', async () => {
    const [ada, eve] = [await server.make.user(), await server.make.user()];
    const headers = { 'idempotency-key': newKey() };
    const body = { display_name: 'Mine' };
    const own = await server.call('PATCH /users/me', { accessToken: ada.accessToken, body, headers });
    const other = await server.call('PATCH /users/me', { accessToken: eve.accessToken, body, headers });
    expect(own.json).toMatchObject({ primary_email: ada.email });
    expect(other.json).toMatchObject({ primary_email: eve.email });
  });

  describe('that takes the session of its caller', () => {
    let open: ProjectAccess;
    let ada: SignedUp;
    beforeEach(async () => {
      open = await server.make.project({ anonymousUsersEnabled: true, clientUserDeletionEnabled: true });
      ada = await server.make.user({ project: open });
    });

    const repeat = async (route: Route, options: CallOptions) => {
      const headers = { 'idempotency-key': newKey() };
      const call = async () => outcome(await server.call(route, { project: open, headers, ...options }));
      const first = await call();
      expect(first).toMatchObject({ status: 200 });
      expect(await call()).toEqual(first);
    };

    test('answers again after a new password has ended all sessions', async () => {
      const body = { old_password: ada.password, new_password: `${ada.password} and more` };
      await repeat('POST /auth/password/update', { accessToken: ada.accessToken, body });
    });

    test('answers again after the user is deleted', async () => {
      await repeat('DELETE /users/me', { accessToken: ada.accessToken });
    });

    test('answers again after an anonymous user has signed up', async () => {
      const anonymous = await server.call('POST /auth/anonymous/sign-up', { project: open });
      const { access_token: accessToken } = anonymous.json as { access_token: string };
      const body = {
        email: 'upgraded@example.com',
        password: ada.password,
        verification_callback_url: 'http://localhost/verified',
      };
      await repeat('POST /auth/password/sign-up', { accessToken, body });
    });

    test('is refused when it comes first after the session has ended', async () => {
      await server.call('DELETE /auth/sessions/current', { project: open, accessToken: ada.accessToken });
      const options = { accessToken: ada.accessToken, body: {}, headers: { 'idempotency-key': newKey() } };
      expect(outcome(await server.call('PATCH /users/me', { project: open, ...options }))).toMatchObject({
        code: 'ACCESS_TOKEN_EXPIRED',
      });
    });
  });

  test('a refresh with another refresh token under the same key gets no token of the first caller', async () => {
    const ada = await server.make.user();
    const headers = { 'idempotency-key': newKey() };
    const own = await server.call('POST /auth/sessions/current/refresh', { refreshToken: ada.refreshToken, headers });
    const other = await server.call('POST /auth/sessions/current/refresh', { refreshToken: 'unknown', headers });
    expect([own.status, other.status]).toEqual([200, 401]);
  });

  test('control 104: refreshes with idempotency keys run each time and store nothing', async () => {
    const ada = await server.make.user();
    const { refreshToken } = ada;
    const refreshes = [
      (headers: Record<string, string>) =>
        server.call('POST /auth/sessions/current/refresh', { refreshToken, headers }),
      (headers: Record<string, string>) =>
        server.call('POST /auth/oauth/token', {
          body: {
            grant_type: 'refresh_token',
            refresh_token: refreshToken,
            client_id: 'internal',
            client_secret: internalKeys.publishableClientKey,
          },
          headers,
        }),
    ];
    const before = await countKeys();
    const headers = { 'idempotency-key': newKey() };
    for (const refresh of refreshes) expect(await refresh(headers)).toMatchObject({ status: 200 });
    await server.call('DELETE /auth/sessions/current', { accessToken: ada.accessToken });
    for (const refresh of refreshes) {
      expect(outcome(await refresh(headers))).toMatchObject({ code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
    }
    expect(await countKeys()).toBe(before);
  });

  test('control 104: a session that ends the others again and again stores nothing', async () => {
    const { accessToken } = await server.make.user();
    const before = await countKeys();
    for (let count = 0; count < 2; count++) {
      const headers = { 'idempotency-key': newKey() };
      expect(await server.call('DELETE /extensions/sessions/others', { accessToken, headers })).toMatchObject({
        status: 200,
      });
    }
    expect(await countKeys()).toBe(before);
  });

  test('a check with an idempotency key answers the current state', async () => {
    const asServer = { project: await server.make.project({ allowUserApiKeys: true }), level: 'server' } as const;
    const { userId: user_id } = await server.make.user(asServer);
    const body = { user_id, description: 'Checked', expires_at_millis: null };
    const created = await server.call('POST /user-api-keys', { ...asServer, body });
    const { id, value } = created.json as { id: string; value: string };
    const before = await countKeys();
    const headers = { 'idempotency-key': newKey() };
    const check = () => server.call('POST /user-api-keys/check', { ...asServer, body: { api_key: value }, headers });
    expect(await check()).toMatchObject({ status: 200 });
    await server.call('PATCH /user-api-keys/{id}', { ...asServer, params: { id }, body: { revoked: true } });
    expect(outcome(await check())).toMatchObject({ code: 'API_KEY_REVOKED' });
    expect(await countKeys()).toBe(before);
  });

  test('a poll with an idempotency key sees the completion of the login', async () => {
    const { refreshToken } = await server.make.user();
    const { json } = await server.call('POST /auth/cli');
    const { polling_code, login_code } = json as { polling_code: string; login_code: string };
    const headers = { 'idempotency-key': newKey() };
    const poll = () => server.call('POST /auth/cli/poll', { body: { polling_code }, headers });
    expect((await poll()).json).toEqual({ status: 'waiting' });
    await server.call('POST /auth/cli/complete', { body: { login_code, refresh_token: refreshToken } });
    expect((await poll()).json).toEqual({ status: 'success', refresh_token: refreshToken });
  });

  test('a refused write releases its key', async () => {
    const body = { primary_email: 'taken@example.com', primary_email_auth_enabled: true };
    const { json } = await createUser(newKey(), body);
    const key = newKey();
    expect((await createUser(key, body)).status).toBe(409);
    const params = { user_id: (json as { id: string }).id };
    await server.call('DELETE /users/{user_id}', { project, level: 'server', params });
    expect((await createUser(key, body)).status).toBe(201);
  });

  test('a malformed key is refused with 400', async () => {
    for (const key of ['short', 'x'.repeat(256), 'a key with blanks in it']) {
      expect(outcome(await createUser(key, {}))).toEqual(refusal(400));
    }
  });

  test('tokens in a stored response are encrypted', async () => {
    const ada = await server.make.user();
    const call = () =>
      server.call('POST /auth/password/sign-in', {
        body: { email: ada.email, password: ada.password },
        headers: { 'idempotency-key': 'key-of-a-sign-in-request' },
      });
    const first = await call();
    const { refresh_token } = first.json as { refresh_token: string };
    expect((await call()).json).toEqual(first.json);
    const rows = await server.deps.db.query<{ response: Buffer }>(sql`
      select response from idempotency_keys where response is not null
    `);
    expect(rows.some(({ response }) => response.includes(refresh_token))).toBe(false);
  });

  test.each([
    ['up to 32 KB', 20_000, true],
    ['above 32 KB', 40_000, false],
  ])('control 104: of writes of a client only a response %s is stored', async (_, length, isStored) => {
    const { accessToken } = await server.make.user({ project });
    const change = (body: object, headers: Record<string, string> = {}) =>
      server.call('PATCH /users/me', { project, accessToken, body, headers });
    await change({ client_metadata: 'x'.repeat(length) });
    const key = { 'idempotency-key': newKey() };
    expect((await change({ display_name: 'Ada' }, key)).status).toBe(200);
    await change({ display_name: 'Countess' });
    expect((await change({ display_name: 'Ada' }, key)).status).toBe(isStored ? 200 : 409);
    const read = await server.call('GET /users/me', { project, accessToken });
    expect(read.json).toMatchObject({ display_name: 'Countess' });
  });

  test('a write whose process was interrupted is refused with 409 after 30 seconds, not run twice', async () => {
    const key = newKey();
    await createUser(key, { display_name: 'Interrupted' });
    await server.deps.db.query(sql`update idempotency_keys set response = null`);
    const early = await createUser(key, { display_name: 'Interrupted' });
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '1']);
    server.clock.advance(30_000);
    const late = await createUser(key, { display_name: 'Interrupted' });
    expect([late.status, late.headers.get('retry-after')]).toEqual([409, null]);
    expect(await countUsers('Interrupted')).toBe(1);
  });

  test('a write whose commit has an unknown outcome is not run twice', async () => {
    const runOnce = createRunOnce(server.deps);
    const write = { key: newKey(), projectId: project.id, level: null, caller: [], route: 'POST /users', request: [] };
    let runs = 0;
    const work = async () => {
      runs++;
      throw new CommitUnknown('connection lost');
    };
    await expect(runOnce(write, work)).rejects.toThrow('connection lost');
    await expect(runOnce(write, work)).rejects.toMatchObject({ status: 409 });
    expect(runs).toBe(1);
  });

  const newWrite = () => ({
    key: newKey(),
    projectId: project.id,
    level: null,
    caller: [],
    route: 'POST /users',
    request: [],
  });

  describe.each([
    ['a transaction', () => transaction(server.deps.db, async tx => tx.query(sql`select 1`))],
    ['a single statement', () => server.deps.db.query(sql`update projects set display_name = 'x' where false`)],
  ])('a write that fails after the commit of %s', (_, commit) => {
    test.each([
      ['database that is away', () => new DatabaseAway('away')],
      ['defect', () => new Error('a defect')],
    ])('because of a %s is not run twice', async (_reason, error) => {
      const runOnce = createRunOnce(server.deps);
      const write = newWrite();
      const work = vi.fn(async () => {
        await commit();
        throw error();
      });
      await expect(runOnce(write, work)).rejects.toThrow(error().message);
      await expect(runOnce(write, work)).rejects.toMatchObject({ status: 409 });
      expect(work).toHaveBeenCalledTimes(1);
    });

    test('because of a refusal releases its key', async () => {
      const runOnce = createRunOnce(server.deps);
      const write = newWrite();
      const work = async () => {
        await commit();
        return refuse(400, 'refused');
      };
      await expect(runOnce(write, work)).rejects.toMatchObject({ status: 400 });
      await expect(runOnce(write, work)).rejects.toMatchObject({ status: 400 });
    });
  });

  test('a write that only read and counted before the database went away releases its key', async () => {
    const runOnce = createRunOnce(server.deps);
    const write = { key: newKey(), projectId: project.id, level: null, caller: [], route: 'POST /users', request: [] };
    const { db } = server.deps;
    const work = async () => {
      await db.query(sql`select id from projects where id = 'internal' for no key update`);
      await db.asyncCommit.query(sql`update projects set display_name = 'x' where false`);
      throw new DatabaseAway('away');
    };
    await expect(runOnce(write, work)).rejects.toThrow('away');
    await expect(runOnce(write, work)).rejects.toThrow('away');
  });

  test('the late release of a failed attempt does not free the key of the next attempt', async () => {
    const { asyncCommit } = server.deps.db;
    const query = asyncCommit.query.bind(asyncCommit);
    const spy = vi.spyOn(asyncCommit, 'query').mockImplementation(async statement => {
      const rows = await query(statement);
      if (!statement.text.trim().startsWith('delete')) return rows as never;
      spy.mockRestore();
      throw new DatabaseAway('the connection was lost after the delete');
    });
    const runOnce = createRunOnce(server.deps);
    const write = { key: newKey(), projectId: project.id, level: null, caller: [], route: 'POST /users', request: [] };
    await expect(runOnce(write, () => Promise.reject(new DatabaseAway('away')))).rejects.toThrow('away');
    const work = vi.fn(async () => ({ status: 200, contentType: undefined, body: null }));
    await runOnce(write, work);
    const deletion = vi.spyOn(asyncCommit, 'query');
    await vi.waitFor(() => expect(deletion).toHaveBeenCalled(), { timeout: 20_000 });
    await deletion.mock.results[0]?.value;
    await runOnce(write, work);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('a write whose response cannot be stored succeeds', async () => {
    const runOnce = createRunOnce(server.deps);
    const write = { key: newKey(), projectId: project.id, level: null, caller: [], route: 'POST /users', request: [] };
    const draft = { status: 200, contentType: undefined, body: null };
    const work = async () => {
      vi.spyOn(server.deps.db.asyncCommit, 'query').mockRejectedValueOnce(new DatabaseAway('away'));
      return draft;
    };
    expect(await runOnce(write, work)).toEqual(draft);
    expect(server.logged()).toContain('the response of a keyed write was not stored');
    await expect(runOnce(write, work)).rejects.toMatchObject({ status: 409 });
  });

  test('control 104: a key is deleted after 24 hours', async () => {
    const key = newKey();
    await createUser(key, { display_name: 'Yesterday' });
    server.clock.advance(day);
    await allWork(server.deps).tasks[purgeTask]?.({});
    expect((await createUser(key, { display_name: 'Yesterday' })).status).toBe(201);
    expect(await countUsers('Yesterday')).toBe(2);
  });
});
