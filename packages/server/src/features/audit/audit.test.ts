import { auditActions, type Route } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { anId } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { openScene, plainPasswords, type Scene } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { allowUserApiKeys: true });
  project = scene.project;
});

const password = 'correct horse';
const callback = 'http://localhost:3000/verify';
const from = { peerAddress: '203.0.113.7', headers: { 'user-agent': 'Test/1.0' } };

const eventSchema = z.looseObject({ id: z.string(), action: z.string(), at_millis: z.number() });
const pageSchema = z.object({
  items: z.array(eventSchema),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

async function page(query: Record<string, string> = {}) {
  const answer = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  expect(answer.status).toBe(200);
  return pageSchema.parse(answer.json);
}

/** All events except key uses, oldest first. */
async function events(query: Record<string, string> = {}) {
  const { items } = await page({ limit: '1000', ...query });
  return items.filter(({ action }) => action !== 'key_set.used').reverse();
}

const actions = async (query?: Record<string, string>) => (await events(query)).map(({ action }) => action);

/** Advances the test clock by a step, so that the order of events is visible. */
async function step<T>(work: () => Promise<T>): Promise<T> {
  server.clock.advance(1);
  return work();
}

async function signUp(options: CallOptions = {}) {
  const email = scene.address();
  const body = { email, password, verification_callback_url: callback };
  const { json } = await server.call('POST /auth/password/sign-up', { project, body, ...options });
  const { user_id, access_token } = z.object({ user_id: z.string(), access_token: z.string() }).parse(json);
  return { email, userId: user_id, accessToken: access_token };
}

describe('control 97: the audit log records', () => {
  test('a sign-in with its actor, method and source address', async () => {
    const { email, userId } = await signUp(from);
    await step(() => server.call('POST /auth/password/sign-in', { project, body: { email, password }, ...from }));
    const told = (at: number, isNew: boolean) => ({
      id: anId,
      at_millis: at,
      action: 'sign_in.succeeded',
      actor: { type: 'user', id: userId },
      user_id: userId,
      subject: null,
      address: '203.0.113.7',
      user_agent: 'Test/1.0',
      trace_id: expect.stringMatching(/^[0-9a-z]{16}$/),
      details: { method: 'password', is_new_user: isNew, session_id: anId },
      before: null,
      after: null,
    });
    const now = server.clock.now();
    expect(await events()).toEqual([told(now - 1, true), told(now, false)]);
  });

  test('a failed sign-in without the password that was sent', async () => {
    const { email, userId } = await signUp();
    await step(() => server.call('POST /auth/password/sign-in', { project, body: { email, password: 'my secret' } }));
    await step(() =>
      server.call('POST /auth/password/sign-in', { project, body: { email: 'x@example.com', password } }),
    );
    await step(() => server.call('POST /auth/otp/sign-in', { project, body: { code: '0'.repeat(45) } }));
    const failed = { action: 'sign_in.failed', actor: { type: 'client', id: null } };
    const mismatch = { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' };
    const told = await events();
    expect(told.slice(1)).toMatchObject([
      { ...failed, user_id: userId, details: mismatch },
      { ...failed, user_id: null, details: mismatch },
      { ...failed, user_id: null, details: { method: 'otp', reason: 'VERIFICATION_CODE_NOT_FOUND' } },
    ]);
    expect(JSON.stringify(told)).not.toMatch(/my secret|x@example\.com|000000/);
  });

  test('sessions that a server creates, and the end of a session', async () => {
    const made = await scene.person();
    server.clock.advance(1);
    const begin = server.clock.now();
    const ada = { id: made.id, ...(await scene.session(made.id)) };
    await step(() => scene.session(ada.id, { is_impersonation: true }));
    await step(() => server.call('DELETE /auth/sessions/current', { project, accessToken: ada.accessToken }));
    expect(await events({ from_millis: String(begin) })).toMatchObject([
      { action: 'session.created', actor: { type: 'admin_key', id: anId }, details: { is_impersonation: false } },
      { action: 'session.created', details: { is_impersonation: true } },
      { action: 'session.ended', actor: { type: 'user', id: ada.id }, user_id: ada.id },
    ]);
  });

  test('every change of a credential, with the actor', async () => {
    const { userId, accessToken } = await signUp();
    const me = (body: object) => step(() => server.call('PATCH /users/me', { project, accessToken, body }));
    const byServer = (body: object) =>
      step(() =>
        server.call('PATCH /users/{user_id}', { project, level: 'server', params: { user_id: userId }, body }),
      );
    await me({ totp_secret_base64: 'c2VjcmV0c2VjcmV0c2VjcmV0' });
    await byServer({ totp_secret_base64: null });
    await byServer({ otp_auth_enabled: true });
    await byServer({ password: 'another password' });
    await byServer({ primary_email: 'new@example.com' });
    await byServer({ password: null });
    await me({ display_name: 'Ada' });
    const told = await events({ user_id: userId });
    expect(told.slice(1).map(({ action, actor }) => [action, actor])).toEqual([
      ['factor.totp_enabled', { type: 'user', id: userId }],
      ['factor.totp_disabled', { type: 'server_key', id: anId }],
      ['factor.otp_enabled', { type: 'server_key', id: anId }],
      ['factor.password_changed', { type: 'server_key', id: anId }],
      ['factor.address_changed', { type: 'server_key', id: anId }],
      ['factor.password_removed', { type: 'server_key', id: anId }],
    ]);
  });

  test('setting, changing and resetting a password', async () => {
    const { email, accessToken } = await signUp();
    const body = { old_password: password, new_password: 'another password' };
    await step(() => server.call('POST /auth/password/update', { project, accessToken, body }));
    await step(() =>
      server.call('POST /auth/password/send-reset-code', { project, body: { email, callback_url: callback } }),
    );
    const code = await scene.emailedCode();
    await step(() => server.call('POST /auth/password/reset', { project, body: { code, password } }));
    expect((await actions()).slice(1)).toEqual(['factor.password_changed', 'factor.password_reset']);
  });

  test('changes of contact channels', async () => {
    const { userId, accessToken } = await signUp();
    const made = await step(() =>
      server.call('POST /contact-channels', {
        project,
        accessToken,
        body: { user_id: 'me', type: 'email', value: 'second@example.com', used_for_auth: false },
      }),
    );
    const { id } = z.object({ id: z.string() }).parse(made.json);
    const params = { user_id: 'me', contact_channel_id: id };
    const route = '/contact-channels/{user_id}/{contact_channel_id}' as const;
    await step(() => server.call(`PATCH ${route}`, { project, accessToken, params, body: { used_for_auth: true } }));
    await step(() => server.call(`DELETE ${route}`, { project, accessToken, params }));
    const subject = { type: 'contact_channel', id };
    expect((await events()).slice(1)).toMatchObject([
      { action: 'factor.address_added', user_id: userId, subject },
      { action: 'factor.address_changed', user_id: userId, subject },
      { action: 'factor.address_removed', user_id: userId, subject },
    ]);
  });

  test('users that a server creates, and deleted users', async () => {
    const made = await server.call('POST /users', { project, level: 'server', body: { display_name: 'Ada' } });
    const { id } = z.object({ id: z.string() }).parse(made.json);
    await step(() => server.call('DELETE /users/{user_id}', { project, level: 'server', params: { user_id: id } }));
    expect(await events()).toMatchObject([
      { action: 'user.created', actor: { type: 'server_key', id: anId }, user_id: id },
      { action: 'user.deleted', actor: { type: 'server_key', id: anId }, user_id: id },
    ]);
  });

  test('every change at level admin, and no read', async () => {
    const params = { id: 'team_member' };
    const body = { description: 'A secret plan' };
    await server.call('PATCH /team-permission-definitions/{id}', { project, level: 'admin', params, body });
    await server.call('GET /team-permission-definitions', { project, level: 'admin' });
    await server.call('DELETE /team-permission-definitions/{id}', { project, level: 'admin', params: { id: 'none' } });
    expect(await events()).toMatchObject([
      {
        action: 'admin.request',
        actor: { type: 'admin_key', id: anId },
        details: { route: 'PATCH /team-permission-definitions/{id}', params, fields: ['description'] },
      },
    ]);
  });

  test('a change of the settings once, with the settings and without an event of the request', async () => {
    const body = { allowed: [], blocked: ['rival.example'] };
    await step(() => server.call('PATCH /internal/extensions/sign-up-restrictions', { project, level: 'admin', body }));
    const config = { client_team_creation_enabled: true };
    await step(() => server.call('PATCH /internal/projects/current', { project, level: 'admin', body: { config } }));
    expect(await events()).toMatchObject([
      { action: 'project.config_changed', after: { sign_up_restrictions: body } },
      { action: 'project.config_changed', after: config },
    ]);
  });

  test('a user that an administrator creates and deletes, without events of the requests', async () => {
    const made = await step(() => server.call('POST /users', { project, level: 'admin', body: {} }));
    const { id } = z.object({ id: z.string() }).parse(made.json);
    await step(() => server.call('DELETE /users/{user_id}', { project, level: 'admin', params: { user_id: id } }));
    expect(await actions()).toEqual(['user.created', 'user.deleted']);
  });

  test('the names of the fields that an administrator changes in a user, without their values', async () => {
    const made = await server.call('POST /users', { project, level: 'server', body: {} });
    const params = { user_id: z.object({ id: z.string() }).parse(made.json).id };
    const body = { server_metadata: { note: 'A secret plan' } };
    await server.call('PATCH /users/{user_id}', { project, level: 'admin', params, body });
    const changes = await events({ action: 'admin.request' });
    const details = { route: 'PATCH /users/{user_id}', params, fields: ['server_metadata'] };
    expect(changes).toMatchObject([{ user_id: params.user_id, details }]);
    expect(JSON.stringify(changes)).not.toContain('secret plan');
  });

  test('the owner id when an owner makes an admin request', async () => {
    const body = { server_metadata: { managedProjectIds: [project.id] } };
    const owner = await server.make.user();
    await server.call('PATCH /users/me', { level: 'server', accessToken: owner.accessToken, body });
    const headers = { 'x-stack-super-secret-admin-key': '', 'x-stack-admin-access-token': owner.accessToken };
    const request = { project, level: 'admin', body: { id: 'writer' }, headers } as const;
    await server.call('POST /team-permission-definitions', request);
    expect(await events()).toMatchObject([{ action: 'admin.request', actor: { type: 'owner', id: owner.userId } }]);
  });

  test('every change by a person who manages the project once, at level server too', async () => {
    const { userId } = await signUp();
    const owner = await server.make.user();
    const body = { server_metadata: { managedProjectIds: [project.id] } };
    await server.call('PATCH /users/me', { level: 'server', accessToken: owner.accessToken, body });
    const asOwner = { 'x-stack-secret-server-key': '', 'x-stack-admin-access-token': owner.accessToken };
    const change = (route: Route, options: CallOptions = {}) =>
      step(() => server.call(route, { project, level: 'server', headers: asOwner, ...options }));
    const made = await change('POST /teams', { body: { display_name: 'Ada' } });
    const params = { team_id: z.object({ id: z.string() }).parse(made.json).id, user_id: userId };
    const { team_id, user_id } = params;
    const grant = { params: { ...params, permission_id: 'team_admin' }, body: {} };
    const answers = [
      await change('POST /team-memberships/{team_id}/{user_id}', { params, body: {} }),
      await change('POST /team-permissions/{team_id}/{user_id}/{permission_id}', grant),
      await change('PATCH /users/{user_id}', { params: { user_id }, body: { server_metadata: {} } }),
      await change('PATCH /teams/{team_id}', { params: { team_id }, body: { display_name: 'Bob' } }),
      await change('DELETE /team-memberships/{team_id}/{user_id}', { params }),
      await change('DELETE /teams/{team_id}', { params: { team_id } }),
      await change('DELETE /users/{user_id}', { params: { user_id } }),
    ];
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const told = await events({ actor_id: owner.userId });
    expect(told.map(({ action, details }) => (details as { route?: string } | null)?.route ?? action)).toEqual([
      'POST /teams',
      'POST /team-memberships/{team_id}/{user_id}',
      'POST /team-permissions/{team_id}/{user_id}/{permission_id}',
      'PATCH /users/{user_id}',
      'PATCH /teams/{team_id}',
      'DELETE /team-memberships/{team_id}/{user_id}',
      'DELETE /teams/{team_id}',
      'user.deleted',
    ]);
  });

  test('a user whom an administrator deletes with the token of the user once', async () => {
    const { userId, accessToken } = await signUp();
    await step(() => server.call('DELETE /users/me', { project, level: 'admin', accessToken }));
    expect((await actions({ user_id: userId })).slice(1)).toEqual(['user.deleted']);
    expect(await actions({ action: 'admin.request' })).toEqual([]);
  });

  test('no change of a server with a key that is not a security event', async () => {
    await server.call('POST /teams', { project, level: 'server', body: { display_name: 'Ada' } });
    expect(await events()).toEqual([]);
  });

  test('created, used and revoked API keys', async () => {
    const { userId, accessToken } = await signUp();
    const newKey = { description: 'A key', expires_at_millis: null, user_id: 'me' };
    const made = await step(() => server.call('POST /user-api-keys', { project, accessToken, body: newKey }));
    const { id, value } = z.object({ id: z.string(), value: z.string() }).parse(made.json);
    const check = () =>
      step(() => server.call('POST /user-api-keys/check', { project, level: 'server', body: { api_key: value } }));
    await check();
    await check();
    server.clock.advance(60_000);
    await check();
    const revocation = { params: { id }, body: { revoked: true } };
    await step(() => server.call('PATCH /user-api-keys/{id}', { project, accessToken, ...revocation }));
    const told = (await events()).slice(1);
    expect(told.map(({ action }) => action)).toEqual([
      'api_key.created',
      'api_key.checked',
      'api_key.checked',
      'api_key.revoked',
    ]);
    expect(told).toMatchObject(Array(4).fill({ user_id: userId, subject: { type: 'api_key', id } }));
    expect(JSON.stringify(told)).not.toContain(value);
  });

  test('the revocation of an API key once, also when it is repeated', async () => {
    const { accessToken } = await signUp();
    const newKey = { description: 'A key', expires_at_millis: null, user_id: 'me' };
    const made = await server.call('POST /user-api-keys', { project, accessToken, body: newKey });
    const params = z.object({ id: z.string() }).parse(made.json);
    const revoke = () =>
      server.call('PATCH /user-api-keys/{id}', { project, accessToken, params, body: { revoked: true } });
    await revoke();
    await revoke();
    expect(await page({ action: 'api_key.revoked' })).toMatchObject({ items: [{ subject: { id: params.id } }] });
  });

  test('the first use of a key per hour once, across processes', async () => {
    const beside = await openTestServer({ beside: server });
    const read = (where: TestServer) => where.call('GET /projects/current', { project, ...from });
    await read(server);
    await read(server);
    await read(beside);
    const startOfHour = Math.floor(server.clock.now() / 3_600_000) * 3_600_000;
    const used = async () =>
      (await page({ action: 'key_set.used' })).items.filter(({ details }) => isByClient(details));
    const told = { subject: { type: 'key_set', id: anId }, address: '203.0.113.7' };
    expect(await used()).toMatchObject([{ ...told, at_millis: startOfHour, details: { level: 'client' } }]);
    server.clock.advance(3_600_000);
    await read(server);
    expect(await used()).toHaveLength(2);
    await beside.close();
  });
});

const isByClient = (details: unknown) => z.object({ level: z.literal('client') }).safeParse(details).success;

test('every audit action is lower case words, separated by dots', () => {
  expect(auditActions.filter(action => !/^[a-z_]+\.[a-z_]+$/.test(action))).toEqual([]);
  expect(new Set(auditActions).size).toBe(auditActions.length);
});
