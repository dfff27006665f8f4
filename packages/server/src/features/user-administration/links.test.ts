import {
  impersonationMaxLifetimeMs,
  ownerImpersonationLifetimeMs,
  sessionPolicyMinLifetimeMs,
} from '@tessera/protocol';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
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
  project = await server.make.project({
    credentialEnabled: true,
    magicLinkEnabled: true,
    allowLocalhost: true,
    allowUserApiKeys: true,
    clientUserDeletionEnabled: true,
  });
  ada = await server.make.user({ project });
});

const callback = 'http://localhost:3000/handler/magic-link-callback';
const linkSchema = z.strictObject({ url: z.string(), expires_at_millis: z.number() });
const tokensSchema = z.strictObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_at_millis: z.number(),
});

function createLink(
  kind: 'sign_in' | 'password_reset',
  options: { callbackUrl?: string; headers?: Record<string, string> } = {},
) {
  return server.call('POST /internal/extensions/users/{user_id}/links', {
    project,
    level: 'admin',
    params: { user_id: ada.userId },
    body: { kind, callback_url: options.callbackUrl ?? callback },
    ...(options.headers && { headers: options.headers }),
  });
}

function impersonate(body: object, headers?: Record<string, string>) {
  return server.call('POST /internal/extensions/users/{user_id}/impersonations', {
    project,
    level: 'admin',
    params: { user_id: ada.userId },
    body,
    ...(headers && { headers }),
  });
}

const change = (body: object, user_id = ada.userId) =>
  server.call('PATCH /users/{user_id}', { project, level: 'server', params: { user_id }, body });
const verify = () => change({ primary_email_verified: true });

const codeIn = (json: unknown) => new URL(linkSchema.parse(json).url).searchParams.get('code') ?? '';

async function events(action: string) {
  const query = { action };
  const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  const event = z.looseObject({ user_id: z.string().nullable(), actor: z.unknown(), details: z.unknown() });
  return z.object({ items: z.array(event) }).parse(json).items;
}

describe('POST /internal/extensions/users/{user_id}/links', () => {
  test('a sign-in link signs the user in once', async () => {
    await verify();
    const link = await createLink('sign_in');
    expect(link.status).toBe(201);
    expect(linkSchema.parse(link.json).url).toContain(`${callback}?code=`);
    expect(linkSchema.parse(link.json).expires_at_millis).toBeGreaterThan(server.clock.now());
    const body = { code: codeIn(link.json) };
    const signedIn = await server.call('POST /auth/otp/sign-in', { project, body });
    expect(signedIn.json).toMatchObject({ user_id: ada.userId, is_new_user: false });
    const again = await server.call('POST /auth/otp/sign-in', { project, body });
    expect(again.headers.get('x-stack-known-error')).toBe('VERIFICATION_CODE_ALREADY_USED');
  });

  test('a reset link sets a password', async () => {
    const link = await createLink('password_reset');
    const body = { code: codeIn(link.json), password: 'another long password' };
    expect((await server.call('POST /auth/password/reset', { project, body })).status).toBe(200);
    const again = { email: ada.email, password: 'another long password' };
    expect((await server.call('POST /auth/password/sign-in', { project, body: again })).status).toBe(200);
  });

  test('the audit log names the kind of the link and not its code', async () => {
    const link = await createLink('password_reset');
    const [event] = await events('user.link_created');
    expect(event).toMatchObject({ user_id: ada.userId, details: { kind: 'password_reset' } });
    expect(JSON.stringify(event)).not.toContain(codeIn(link.json));
  });

  test('a sign-in link to an unverified address is refused', async () => {
    expect((await createLink('sign_in')).status).toBe(400);
  });

  test('a sign-in link is refused for a user for whom sign-in by email is switched off', async () => {
    await verify();
    await change({ otp_auth_enabled: false });
    expect((await createLink('sign_in')).status).toBe(400);
  });

  test.each(['sign_in', 'password_reset'] as const)(
    'a link of kind %s is refused for an address that signs in to another user',
    async kind => {
      const { email, userId } = await server.make.user({ project });
      await change({ primary_email_verified: true }, userId);
      const same = { primary_email: email, primary_email_auth_enabled: false, primary_email_verified: true };
      expect((await change(same)).status).toBe(200);
      expect((await createLink(kind)).status).toBe(400);
    },
  );

  test('a callback URL outside the trusted domains is refused', async () => {
    const answer = await createLink('password_reset', { callbackUrl: 'https://evil.example/reset' });
    expect(answer.headers.get('x-stack-known-error')).toBe('REDIRECT_URL_NOT_WHITELISTED');
  });

  test('a reset link is refused while passwords are switched off', async () => {
    project = await server.make.project({ allowLocalhost: true, credentialEnabled: false });
    const made = await server.call('POST /users', { project, level: 'server', body: { display_name: 'Bob' } });
    ada = { ...ada, userId: z.object({ id: z.string() }).parse(made.json).id };
    const answer = await createLink('password_reset');
    expect(answer.headers.get('x-stack-known-error')).toBe('PASSWORD_AUTHENTICATION_NOT_ENABLED');
    expect((await createLink('sign_in')).status).toBe(400);
  });

  test('an owner whose sign-in is older than ten minutes must sign in again', async () => {
    const { headers, olderHeaders } = await signInOwner(server, project.id);
    expect((await createLink('password_reset', { headers })).status).toBe(201);
    const late = await createLink('password_reset', { headers: await olderHeaders() });
    expect(late.headers.get('x-stack-known-error')).toBe('REAUTHENTICATION_REQUIRED');
  });

  test('an unknown user is refused', async () => {
    ada = { ...ada, userId: '00000000-0000-4000-8000-000000000000' };
    expect((await createLink('sign_in')).headers.get('x-stack-known-error')).toBe('USER_NOT_FOUND');
    const answer = await impersonate({ reason: 'asked for help' });
    expect(answer.headers.get('x-stack-known-error')).toBe('USER_NOT_FOUND');
  });
});

describe('POST /internal/extensions/users/{user_id}/impersonations', () => {
  test('a short session of the user opens, and the audit log has the owner and the reason', async () => {
    const { headers, owner } = await signInOwner(server, project.id);
    const answer = await impersonate({ reason: '  The user asked for help.  ' }, headers);
    expect(answer.status).toBe(201);
    const tokens = tokensSchema.parse(answer.json);
    expect(tokens.expires_at_millis).toBe(server.clock.now() + ownerImpersonationLifetimeMs);
    expect(ownerImpersonationLifetimeMs).toBeLessThan(impersonationMaxLifetimeMs);
    const me = await server.call('GET /users/me', { project, accessToken: tokens.access_token });
    expect(me.json).toMatchObject({ id: ada.userId });
    const [event] = await events('session.created');
    expect(event).toMatchObject({
      user_id: ada.userId,
      actor: { type: 'owner', id: owner.userId },
      details: { is_impersonation: true, reason: 'The user asked for help.' },
    });
  });

  test('control 34: the session changes no sign-in method, creates no key and deletes nothing', async () => {
    const { access_token: accessToken } = tokensSchema.parse((await impersonate({ reason: 'asked for help' })).json);
    const asUser = { project, accessToken };
    const password = { old_password: ada.password, new_password: 'another long password' };
    const key = { user_id: 'me', description: 'key', expires_at_millis: null, is_public: false };
    const answers = await Promise.all([
      server.call('POST /auth/password/update', { ...asUser, body: password }),
      server.call('PATCH /users/me', { ...asUser, body: { otp_auth_enabled: false } }),
      server.call('POST /user-api-keys', { ...asUser, body: key }),
      server.call('DELETE /users/me', { ...asUser, body: {} }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  test('the session ends after fifteen minutes', async () => {
    const tokens = tokensSchema.parse((await impersonate({ reason: 'asked for help' })).json);
    server.clock.advance(ownerImpersonationLifetimeMs);
    const refreshed = await server.call('POST /auth/sessions/current/refresh', {
      project,
      refreshToken: tokens.refresh_token,
    });
    expect(refreshed.headers.get('x-stack-known-error')).toBe('REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED');
  });

  test('in a project with a shorter session lifetime the response has the end of the session', async () => {
    project = await server.make.project({ credentialEnabled: true, sessionLifetimeMs: sessionPolicyMinLifetimeMs });
    ada = await server.make.user({ project });
    const tokens = tokensSchema.parse((await impersonate({ reason: 'asked for help' })).json);
    expect(tokens.expires_at_millis).toBe(server.clock.now() + sessionPolicyMinLifetimeMs);
  });

  test('a missing or empty reason is refused', async () => {
    for (const body of [{}, { reason: '' }, { reason: '       ' }, { reason: 'x'.repeat(501) }]) {
      expect((await impersonate(body)).status).toBe(400);
    }
  });

  test('an owner whose sign-in is older than ten minutes must sign in again', async () => {
    const { olderHeaders } = await signInOwner(server, project.id);
    const answer = await impersonate({ reason: 'asked for help' }, await olderHeaders());
    expect(answer.headers.get('x-stack-known-error')).toBe('REAUTHENTICATION_REQUIRED');
  });
});
