import { auditFailuresOfKindMax, auditFailureWindowMs, rateLimits } from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
  project = await server.make.project();
});
afterAll(() => server.close());

const events = z.object({ items: z.array(z.looseObject({ actor: z.unknown(), details: z.unknown() })) });

test('control 97: requests that a limit refuses are in the audit log, repetitions as a count', async () => {
  const { email, userId } = await server.make.user({ project });
  const attempt = async () => {
    const body = { email, password: 'a wrong password' };
    return (await server.call('POST /auth/password/sign-in', { project, body })).status;
  };
  const { points } = rateLimits.failedSignInsPerAccount;
  for (let count = 0; count < points; count++) expect(await attempt()).toBe(400);
  for (let count = 0; count < auditFailuresOfKindMax + 2; count++) {
    server.clock.advance(1);
    expect(await attempt()).toBe(429);
  }
  server.clock.advance(auditFailureWindowMs);
  await server.deps.audit.flush();
  const query = { action: 'limit.reached' };
  const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  const blocked = { actor: { type: 'client', id: null }, user_id: userId };
  const [counted, ...others] = events.parse(json).items;
  expect(counted).toMatchObject({ ...blocked, details: { limit: 'failedSignInsPerAccount', count: 2 } });
  expect(others).toHaveLength(auditFailuresOfKindMax);
  for (const one of others) expect(one).toMatchObject({ ...blocked, details: { limit: 'failedSignInsPerAccount' } });
});

test('control 97: a limit of an account without a user, and a limit of an address block, name no user and no address', async () => {
  const own = await server.make.project();
  const guess = (email: string) => {
    const body = { email, password: 'a wrong password' };
    return server.call('POST /auth/password/sign-in', { project: own, body, peerAddress: '203.0.113.7' });
  };
  const { points } = rateLimits.failedSignInsPerAccount;
  for (let count = 0; count <= points; count++) await guess('unknown@example.com');
  server.clock.advance(1);
  const perAddress = rateLimits.failedSignInsPerAddress.points;
  for (let count = points; count <= perAddress; count++) await guess(`${count}@example.com`);
  const query = { action: 'limit.reached' };
  const { json, text } = await server.call('GET /internal/extensions/audit-log', {
    project: own,
    level: 'admin',
    query,
  });
  expect(events.parse(json).items).toMatchObject([
    { user_id: null, details: { limit: 'failedSignInsPerAddress' } },
    { user_id: null, details: { limit: 'failedSignInsPerAccount' } },
  ]);
  expect(text).not.toContain('@example.com');
});

test('control 97: a limit that counts by user id names the user', async () => {
  const { accessToken, userId } = await server.make.user({ project });
  const body = { old_password: 'a wrong password', new_password: 'another password' };
  const change = () => server.call('POST /auth/password/update', { project, accessToken, body });
  for (let count = 0; count <= rateLimits.failedSignInsPerAccount.points; count++) await change();
  const query = { action: 'limit.reached', user_id: userId };
  const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  expect(events.parse(json).items).toMatchObject([{ details: { limit: 'failedSignInsPerAccount' } }]);
});

describe('control 97: the events of a request are found by its trace id', () => {
  const found = z.object({
    items: z.array(
      z
        .looseObject({ action: z.string(), user_id: z.unknown(), trace_id: z.string(), details: z.unknown() })
        .transform(({ action, user_id, trace_id, details }) => ({ action, user_id, trace_id, details })),
    ),
  });

  async function eventsOf(answer: { headers: Headers }, of = project) {
    const trace_id = answer.headers.get('x-stack-request-id') ?? '';
    await server.deps.audit.flush();
    const query = { trace_id };
    const { json } = await server.call('GET /internal/extensions/audit-log', { project: of, level: 'admin', query });
    return found.parse(json).items.map(({ trace_id: found, ...event }) => ({ ...event, isOurs: found === trace_id }));
  }

  test('a wrong password, also when it was repeated before', async () => {
    const { email } = await server.make.user({ project });
    const body = { email, password: 'a wrong password' };
    const attempt = () => server.call('POST /auth/password/sign-in', { project, body });
    await attempt();
    await attempt();
    const details = { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' };
    expect(await eventsOf(await attempt())).toEqual([
      { action: 'sign_in.failed', user_id: expect.any(String), details, isOurs: true },
    ]);
  });

  test('a refused rate limit', async () => {
    const { email } = await server.make.user({ project });
    const body = { email, password: 'a wrong password' };
    const attempt = () => server.call('POST /auth/password/sign-in', { project, body });
    for (let count = 0; count < rateLimits.failedSignInsPerAccount.points; count++) await attempt();
    const details = { limit: 'failedSignInsPerAccount' };
    expect(await eventsOf(await attempt())).toMatchObject([{ action: 'limit.reached', details, isOurs: true }]);
  });

  test('a sign-up that is closed, and a return address that is not trusted, with its origin', async () => {
    const closed = await server.make.project({ signUpEnabled: false });
    const email = 'new@example.com';
    const callback_url = 'https://evil.example/handler?code=1';
    const signUp = await server.call('POST /auth/password/sign-up', {
      project: closed,
      body: { email, password: 'correct horse', verification_callback_url: 'http://localhost:3000' },
    });
    expect(await eventsOf(signUp, closed)).toEqual([
      {
        action: 'sign_in.refused',
        user_id: null,
        details: { route: 'POST /auth/password/sign-up', reason: 'SIGN_UP_NOT_ENABLED' },
        isOurs: true,
      },
    ]);
    const open = await server.make.project({ magicLinkEnabled: true });
    const send = await server.call('POST /auth/otp/send-sign-in-code', {
      project: open,
      body: { email, callback_url },
    });
    expect(await eventsOf(send, open)).toMatchObject([
      { details: { reason: 'REDIRECT_URL_NOT_WHITELISTED', redirect_origin: 'https://evil.example' } },
    ]);
  });

  test('a sign-in code that is requested while email codes are switched off, with a cause beside the sentence', async () => {
    const withoutCodes = await server.make.project({ magicLinkEnabled: false });
    const body = { email: 'new@example.com', callback_url: 'http://localhost:3000' };
    const send = await server.call('POST /auth/otp/send-sign-in-code', { project: withoutCodes, body });
    expect(await eventsOf(send, withoutCodes)).toEqual([
      {
        action: 'sign_in.refused',
        user_id: null,
        details: {
          route: 'POST /auth/otp/send-sign-in-code',
          reason: 'Sign-in by email code is switched off for this project.',
          cause: 'otp_disabled',
        },
        isOurs: true,
      },
    ]);
  });

  test('but not those of another project, and a malformed trace id is refused', async () => {
    const { email } = await server.make.user({ project });
    const body = { email, password: 'a wrong password' };
    const answer = await server.call('POST /auth/password/sign-in', { project, body });
    expect(await eventsOf(answer, await server.make.project())).toEqual([]);
    const query = { trace_id: "' or true" };
    const refused = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
    expect(refused.headers.get('x-stack-known-error')).toBe('SCHEMA_ERROR');
  });
});
