import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../platform/database/sql.ts';
import { oneAfterTheOther } from '../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';
import { signInOwner } from './owner.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let ada: SignedUp;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project({ allowUserApiKeys: true, magicLinkEnabled: true });
  ada = await server.make.user({ project });
});

const route = '/extensions/users/{user_id}/suspension' as const;
const success = { status: 200, body: { success: true } };
const suspended = { status: 403, code: 'USER_SUSPENDED' };

const asServer = (userId = ada.userId) => ({ project, level: 'server', params: { user_id: userId } }) as const;
const suspend = async (body: { reason?: string | null } = {}, userId = ada.userId) =>
  outcome(await server.call(`PUT ${route}`, { ...asServer(userId), body }));
const read = async () => outcome(await server.call(`GET ${route}`, asServer()));
const end = async () => outcome(await server.call(`DELETE ${route}`, asServer()));

const signIn = async () => {
  const body = { email: ada.email, password: ada.password };
  return outcome(await server.call('POST /auth/password/sign-in', { project, body }));
};
const signedIn = { status: 200, body: expect.objectContaining({ user_id: expect.any(String) }) };

describe('a suspended user', () => {
  test('has a time and a reason, which a repeated suspension replaces', async () => {
    expect(await read()).toEqual({ status: 200, body: { suspension: null } });
    const suspended_at_millis = server.clock.now();
    const first = { suspension: { suspended_at_millis, reason: 'Spam' } };
    expect(await suspend({ reason: ' Spam ' })).toEqual({ status: 200, body: first });
    expect(await read()).toEqual({ status: 200, body: first });
    server.clock.advance(1000);
    const second = { suspension: { suspended_at_millis, reason: null } };
    expect(await suspend({ reason: '' })).toEqual({ status: 200, body: second });
    expect(await read()).toEqual({ status: 200, body: second });
  });

  test('cannot sign in until the suspension ends', async () => {
    expect(await signIn()).toEqual(signedIn);
    await suspend();
    expect(await signIn()).toEqual(suspended);
    expect(await end()).toEqual(success);
    expect(await end()).toEqual(success);
    expect(await read()).toEqual({ status: 200, body: { suspension: null } });
    expect(await signIn()).toEqual(signedIn);
  });

  test('has no session any more, and none can be opened by a server, an impersonation or a code', async () => {
    const { accessToken, refreshToken } = ada;
    await suspend();
    const me = await server.call('GET /users/me', { project, accessToken });
    expect(outcome(me)).toMatchObject({ code: 'ACCESS_TOKEN_EXPIRED' });
    const refreshed = await server.call('POST /auth/sessions/current/refresh', { project, refreshToken });
    expect(outcome(refreshed)).toMatchObject({ code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' });
    const created = { project, level: 'server', body: { user_id: ada.userId } } as const;
    expect(outcome(await server.call('POST /auth/sessions', created))).toEqual(suspended);
    const impersonation = await server.call('POST /internal/extensions/users/{user_id}/impersonations', {
      ...asServer(),
      level: 'admin',
      body: { reason: 'Ticket 1815' },
    });
    expect(outcome(impersonation)).toEqual(suspended);
    const verified = { ...asServer(), body: { primary_email_verified: true } };
    await server.call('PATCH /users/{user_id}', verified);
    const link = await server.call('POST /internal/extensions/users/{user_id}/links', {
      ...asServer(),
      level: 'admin',
      body: { kind: 'sign_in', callback_url: 'http://localhost:3000/' },
    });
    const { url } = z.object({ url: z.string() }).parse(link.json);
    const code = new URL(url).searchParams.get('code') ?? '';
    const redeemed = await server.call('POST /auth/otp/sign-in', { project, body: { code } });
    expect(outcome(redeemed)).toEqual(suspended);
  });

  test('has API keys that do not work until the suspension ends', async () => {
    const made = await server.call('POST /user-api-keys', {
      project,
      level: 'server',
      body: { description: 'A key', expires_at_millis: null, user_id: ada.userId },
    });
    const { value } = z.object({ value: z.string() }).parse(made.json);
    const check = async () => {
      const asked = { project, level: 'server', body: { api_key: value } } as const;
      return (await server.call('POST /user-api-keys/check', asked)).status;
    };
    expect(await check()).toBe(200);
    await suspend();
    expect(await check()).toBe(404);
    await end();
    expect(await check()).toBe(200);
  });

  test('gets no session from a sign-in that runs at the same time', async () => {
    const calls = { first: () => suspend(), second: signIn };
    const [, answer] = await oneAfterTheOther(server, ada.userId, calls);
    expect(answer).toEqual(suspended);
    const sessions = sql`select id from sessions where project_id = ${project.id} and user_id = ${ada.userId}`;
    expect(await server.deps.db.query(sessions)).toEqual([]);
  });

  test('is found by the filter of the user list', async () => {
    const other = await server.make.user({ project });
    const list = async (is_suspended: string) => {
      const query = { is_suspended };
      const answer = await server.call('GET /internal/extensions/users', { project, level: 'admin', query });
      const items = z.array(z.object({ id: z.string(), suspended_at_millis: z.number().nullable() }));
      return z.object({ items }).parse(answer.json).items;
    };
    const suspended_at_millis = server.clock.now();
    await suspend();
    expect(await list('true')).toEqual([{ id: ada.userId, suspended_at_millis }]);
    expect(await list('false')).toEqual([{ id: other.userId, suspended_at_millis: null }]);
  });
});

describe('a suspension', () => {
  test('is in the audit log with its reason, and so is its end', async () => {
    await suspend({ reason: 'Spam' });
    await suspend({ reason: 'Spam' });
    await end();
    await end();
    const events = async (action: string) => {
      const answer = await server.call('GET /internal/extensions/audit-log', {
        project,
        level: 'admin',
        query: { action },
      });
      return z.object({ items: z.array(z.looseObject({})) }).parse(answer.json).items;
    };
    const of = { user_id: ada.userId, actor: { type: 'server_key', id: expect.any(String) } };
    expect(await events('user.suspended')).toEqual([expect.objectContaining({ ...of, details: { reason: 'Spam' } })]);
    expect(await events('user.suspension_ended')).toEqual([expect.objectContaining(of)]);
    const refusedSignIn = {
      user_id: ada.userId,
      details: { route: 'POST /auth/password/sign-in', reason: 'USER_SUSPENDED' },
    };
    await suspend();
    await signIn();
    expect(await events('sign_in.refused')).toEqual([expect.objectContaining(refusedSignIn)]);
  });

  test('is refused for an unknown user, at level client, and with a reason that is too long', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await suspend({}, unknown)).toMatchObject({ code: 'USER_NOT_FOUND' });
    for (const method of ['GET', 'DELETE'] as const) {
      expect(outcome(await server.call(`${method} ${route}`, asServer(unknown)))).toMatchObject({
        code: 'USER_NOT_FOUND',
      });
    }
    const asClient = await server.call(`PUT ${route}`, { ...asServer(), level: 'client', body: {} });
    expect(outcome(asClient)).toMatchObject({ status: 401, code: 'INSUFFICIENT_ACCESS_TYPE' });
    expect(await suspend({ reason: 'x'.repeat(501) })).toMatchObject({ code: 'SCHEMA_ERROR' });
    expect(await read()).toEqual({ status: 200, body: { suspension: null } });
  });

  test('cannot be of the own account', async () => {
    const { owner, headers } = await signInOwner(server, 'internal');
    const own = { params: { user_id: owner.userId }, headers, level: 'admin', body: {} } as const;
    expect(outcome(await server.call(`PUT ${route}`, own))).toEqual({ status: 400, says: 'a sentence' });
  });
});
