import type { Route } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import type { SignedUp } from '../../test/make.ts';
import { plainPasswords } from '../sign-in/scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let owner: SignedUp;
let ada: SignedUp;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project({
    credentialEnabled: true,
    allowUserApiKeys: true,
    clientTeamCreationEnabled: true,
  });
  ada = await server.make.user({ project });
  owner = await server.make.user();
  const body = { server_metadata: { managedProjectIds: [project.id] } };
  await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: owner.userId }, body });
  server.clock.advance(1_000);
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const tokensSchema = z.looseObject({ access_token: z.string() });

/** Opens an impersonation of Ada with the session of the owner. */
async function impersonate(): Promise<string> {
  const { json } = await server.call('POST /internal/extensions/users/{user_id}/impersonations', {
    project,
    level: 'admin',
    params: { user_id: ada.userId },
    body: { reason: 'ticket 42' },
    headers: {
      'x-stack-super-secret-admin-key': '',
      'x-stack-admin-access-token': owner.accessToken,
      'user-agent': firefox,
    },
  });
  return tokensSchema.parse(json).access_token;
}

/** Opens an impersonation of Ada with a key of the project. */
async function impersonateByKey(): Promise<string> {
  const body = { user_id: ada.userId, is_impersonation: true };
  const { json } = await server.call('POST /auth/sessions', { project, level: 'server', body });
  return tokensSchema.parse(json).access_token;
}

const act = (accessToken: string, route: Route, options: CallOptions = {}) =>
  server.call(route, { project, accessToken, headers: { 'user-agent': firefox }, ...options });

const signOut = (accessToken: string) => act(accessToken, 'DELETE /auth/sessions/current');

async function audited(action: string): Promise<unknown> {
  await server.deps.audit.flush();
  const query = { action };
  const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  return z.object({ items: z.array(z.looseObject({})) }).parse(json).items[0];
}

async function activity() {
  await server.deps.audit.flush();
  const { json } = await act(ada.accessToken, 'GET /extensions/security-activity');
  const event = z.looseObject({ action: z.string(), is_own: z.boolean(), address: z.string().nullable() });
  return z.object({ items: z.array(event) }).parse(json).items;
}

const byApp = { is_own: false, address: null, device: { browser: null, system: null, type: 'other' } };

describe('control 34: an impersonation', () => {
  test('is audited with the owner as the actor of what is done in it', async () => {
    expect((await signOut(await impersonate())).status).toBe(200);
    expect(await audited('session.ended')).toMatchObject({
      actor: { type: 'owner', id: owner.userId },
      user_id: ada.userId,
      details: { session_id: expect.any(String), impersonated_user_id: ada.userId },
    });
  });

  test('that a key opened is audited with the user as the actor, and as an impersonation', async () => {
    await signOut(await impersonateByKey());
    expect(await audited('session.ended')).toMatchObject({
      actor: { type: 'user', id: ada.userId },
      details: { impersonated_user_id: ada.userId },
    });
  });

  test.each([
    ['an owner', impersonate],
    ['a key', impersonateByKey],
  ])('by %s is shown to the user, without address and device of the administrator', async (_, open) => {
    const before = await activity();
    await signOut(await open());
    const shown = await activity();
    expect(shown.slice(0, shown.length - before.length)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ action: 'session.created', ...byApp }),
        expect.objectContaining({ action: 'session.ended', ...byApp }),
      ]),
    );
    expect(shown).toHaveLength(before.length + 2);
  });

  test.each([
    ['an owner', impersonate],
    ['a key', impersonateByKey],
  ])('by %s ends no other session of the user and renames no passkey', async (_, open) => {
    const accessToken = await open();
    const { refreshTokenId: id } = JSON.parse(Buffer.from(ada.accessToken.split('.')[1] ?? '', 'base64url').toString());
    const refused = [
      await act(accessToken, 'DELETE /extensions/sessions/others'),
      await act(accessToken, 'DELETE /auth/sessions/{id}', { params: { id }, query: { user_id: 'me' } }),
      await act(accessToken, 'PATCH /extensions/passkeys/{passkey_id}', {
        params: { passkey_id: 'AAAA' },
        body: { name: 'New' },
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await act(ada.accessToken, 'GET /users/me')).status).toBe(200);
  });

  test.each([
    ['an owner', impersonate, () => ({ type: 'owner', id: owner.userId })],
    ['a key', impersonateByKey, () => ({ type: 'user', id: ada.userId })],
  ])('by %s is audited when it invites to a team, as the invitation outlives it', async (_, open, actor) => {
    const accessToken = await open();
    const body = { display_name: 'Engineers', creator_user_id: 'me' };
    const { json } = await act(ada.accessToken, 'POST /teams', { body });
    const { id: teamId } = z.looseObject({ id: z.string() }).parse(json);
    const invitation = { team_id: teamId, email: 'eve@example.com', callback_url: 'http://localhost:3000/join' };
    expect((await act(accessToken, 'POST /team-invitations/send-code', { body: invitation })).status).toBe(200);
    expect(await audited('admin.request')).toMatchObject({
      actor: actor(),
      user_id: ada.userId,
      details: { route: 'POST /team-invitations/send-code', impersonated_user_id: ada.userId },
    });
    expect((await activity()).map(({ action }) => action)).not.toContain('admin.request');
  });

  test('does not show its device in the data export of the user', async () => {
    await impersonate();
    const { text } = await act(ada.accessToken, 'POST /extensions/data-export', { headers: {}, body: {} });
    expect(text).toContain('session.created');
    expect(text).not.toContain('Firefox');
  });
});

test('the security activity leaves out a session that a key opened for the user', async () => {
  const before = await activity();
  await server.call('POST /auth/sessions', { project, level: 'server', body: { user_id: ada.userId } });
  expect(await activity()).toEqual(before);
});

test('the session of a user is audited with the user as the actor, without an impersonation', async () => {
  await signOut(ada.accessToken);
  const event = await audited('session.ended');
  expect(event).toMatchObject({ actor: { type: 'user', id: ada.userId } });
  expect(event).not.toHaveProperty('details.impersonated_user_id');
});

describe('control 34: an impersonation of a person who manages the project', () => {
  const insufficient = {
    code: 'PROJECT_ROLE_INSUFFICIENT',
    details: expect.objectContaining({ actual_role: 'viewer' }),
  };

  async function impersonateOwner(): Promise<string> {
    const body = { user_id: owner.userId, is_impersonation: true };
    return tokensSchema.parse((await server.call('POST /auth/sessions', { level: 'server', body })).json).access_token;
  }

  const asOwner = (accessToken: string, route: Route, options: CallOptions = {}) => {
    const headers = { 'x-stack-super-secret-admin-key': '', 'x-stack-admin-access-token': accessToken };
    return server.call(route, { project, level: 'admin', headers, ...options });
  };

  test('sees the project and changes nothing, which the audit log would ascribe to that person', async () => {
    const accessToken = await impersonateOwner();
    const change = await asOwner(accessToken, 'PATCH /internal/projects/current', { body: { display_name: 'Taken' } });
    expect(outcome(change)).toMatchObject(insufficient);
    const erase = await asOwner(accessToken, 'DELETE /users/{user_id}', { params: { user_id: ada.userId } });
    expect(outcome(erase)).toMatchObject(insufficient);
    expect((await asOwner(accessToken, 'GET /users')).status).toBe(200);
  });

  test('adds no webhook endpoint, which would outlive it', async () => {
    const { json } = await asOwner(await impersonateOwner(), 'POST /webhooks/svix-token', { body: {} });
    const { token } = z.object({ token: z.string() }).parse(json);
    const response = await server.app(
      new Request(`http://localhost:4280/api/v1/app/${project.id}/endpoint`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'https://evil.example/hook' }),
      }),
    );
    expect(await response.json()).toMatchObject({ code: 'project_role_insufficient' });
  });

  test('has the role of a viewer in the lists of projects, which then have no secrets', async () => {
    const password = 'the password of the mail server';
    const email_config = {
      type: 'standard',
      host: 'mail.example',
      port: 587,
      username: 'ada',
      password,
      sender_name: 'Ada',
      sender_email: 'ada@example.com',
    };
    await server.call('PATCH /internal/projects/current', {
      project,
      level: 'admin',
      body: { config: { email_config } },
    });
    const accessToken = await impersonateOwner();
    const roles = await server.call('GET /internal/extensions/project-roles', { accessToken });
    expect(roles.json).toMatchObject({ items: [{ project_id: project.id, role: 'viewer' }] });
    expect((await server.call('GET /internal/projects', { accessToken })).text).not.toContain(password);
    expect((await server.call('GET /internal/projects', { accessToken: owner.accessToken })).text).toContain(password);
  });

  test('creates a project with the person who opened it as the actor', async () => {
    const admin = await server.make.user();
    const body = { server_metadata: { managedProjectIds: ['internal'] } };
    await server.call('PATCH /users/{user_id}', { level: 'server', params: { user_id: admin.userId }, body });
    const opened = await server.call('POST /internal/extensions/users/{user_id}/impersonations', {
      level: 'admin',
      params: { user_id: owner.userId },
      body: { reason: 'ticket 42' },
      headers: { 'x-stack-super-secret-admin-key': '', 'x-stack-admin-access-token': admin.accessToken },
    });
    const { access_token: accessToken } = tokensSchema.parse(opened.json);
    const { json } = await server.call('POST /internal/projects', { accessToken, body: { display_name: 'New' } });
    const { id } = z.looseObject({ id: z.string() }).parse(json);
    const [event] = await server.deps.db.query(
      sql`select actor_type as type, actor_id as id from audit_events where project_id = ${id}`,
    );
    expect(event).toEqual({ type: 'owner', id: admin.userId });
  });
});
