import { ownerRecentSignInMs, type Route } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
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
  });
  ada = await server.make.user({ project });
});

/** What gives a person who manages the project access to the account of a user, besides links and impersonations. */
const waysIn: Record<string, () => [Route, CallOptions]> = {
  'opening a session': () => ['POST /auth/sessions', { body: { user_id: ada.userId } }],
  'setting a password': () => updateOfAda({ password: 'a password of the owner' }),
  'removing the second factor': () => updateOfAda({ totp_secret_base64: null }),
  'changing the primary address': () => updateOfAda({ primary_email: 'thief@example.com' }),
  'verifying the address': () => updateOfAda({ primary_email_verified: true }),
  'adding an address': () => [
    'POST /contact-channels',
    {
      body: { user_id: ada.userId, value: 'thief@example.com', type: 'email', used_for_auth: true, is_verified: true },
    },
  ],
  'importing a password for an account that may have none': () => [
    'POST /internal/extensions/users/import',
    {
      body: {
        is_dry_run: false,
        on_conflict: 'update',
        users: [{ primary_email: ada.email, password_hash: importedHash }],
      },
    },
  ],
  'creating an API key': () => [
    'POST /user-api-keys',
    { body: { user_id: ada.userId, description: 'a key', expires_at_millis: null } },
  ],
};

/** Of "correct horse battery". */
const importedHash = '$2b$04$9Wv3Gz1dYk1b0c2s8Xk4MeKq5bZ0b5v3fB2oW8mH1nT6yJ7uR4e1a';

function updateOfAda(body: object): [Route, CallOptions] {
  return ['PATCH /users/{user_id}', { params: { user_id: ada.userId }, body }];
}

describe.each(Object.entries(waysIn))('control 68: %s', (_, make) => {
  const attempt = async (headers?: Record<string, string>) => {
    const [route, options] = make();
    const answer = await server.call(route, { project, level: 'admin', ...options, ...(headers && { headers }) });
    return answer.headers.get('x-stack-known-error') ?? answer.status;
  };

  test('needs a sign-in of the owner in the last ten minutes', async () => {
    const { olderHeaders } = await signInOwner(server, project.id);
    expect(await attempt(await olderHeaders())).toBe('REAUTHENTICATION_REQUIRED');
    expect([200, 201]).toContain(await attempt((await signInOwner(server, project.id)).headers));
  });

  test('needs no sign-in with a key', async () => {
    expect([200, 201]).toContain(await attempt());
  });
});

test('an owner whose sign-in is old can rename a user', async () => {
  const { olderHeaders } = await signInOwner(server, project.id);
  const [route, options] = updateOfAda({ display_name: 'Countess' });
  const answer = await server.call(route, { project, level: 'admin', ...options, headers: await olderHeaders() });
  expect(answer.status).toBe(200);
});

test('control 68: an account that manages projects adds an address only after a sign-in in the last hour', async () => {
  const owner = await server.make.user();
  const add = async (value: string) => {
    const { json } = await server.call('POST /auth/sessions/current/refresh', { refreshToken: owner.refreshToken });
    const { access_token: accessToken } = z.object({ access_token: z.string() }).parse(json);
    const body = { user_id: 'me', value, type: 'email', used_for_auth: true };
    const answer = await server.call('POST /contact-channels', { accessToken, body });
    return answer.headers.get('x-stack-known-error') ?? answer.status;
  };
  expect(await add('owner-1@example.com')).toBe(201);
  server.clock.advance(ownerRecentSignInMs);
  expect(await add('owner-2@example.com')).toBe('REAUTHENTICATION_REQUIRED');
});

/** What makes a user of `internal` the owner of projects. */
const waysToOwn: Record<string, (userId: string) => [Route, CallOptions]> = {
  'changing the server metadata of a user': user_id => [
    'PATCH /users/{user_id}',
    { params: { user_id }, body: { server_metadata: { managedProjectIds: [project.id] } } },
  ],
  'creating a user with server metadata': () => [
    'POST /users',
    { body: { server_metadata: { managedProjectIds: [project.id] } } },
  ],
  'importing a user with server metadata': () => [
    'POST /internal/extensions/users/import',
    {
      body: {
        is_dry_run: false,
        on_conflict: 'skip',
        users: [{ display_name: 'Thief', server_metadata: { managedProjectIds: [project.id] } }],
      },
    },
  ],
};

test.each(Object.entries(waysToOwn))(
  'control 68: in the project internal, %s needs a sign-in of the owner in the last ten minutes',
  async (_, make) => {
    const { olderHeaders } = await signInOwner(server, 'internal');
    const attempt = async (sent: Record<string, string>) => {
      const [route, options] = make((await server.make.user()).userId);
      const answer = await server.call(route, { level: 'admin', ...options, headers: sent });
      return answer.headers.get('x-stack-known-error') ?? answer.status;
    };
    expect(await attempt(await olderHeaders())).toBe('REAUTHENTICATION_REQUIRED');
    expect([200, 201]).toContain(await attempt((await signInOwner(server, 'internal')).headers));
  },
);

test('control 68: the session policy of internal changes only after a sign-in of the owner in the last hour', async () => {
  const { headers, olderHeaders } = await signInOwner(server, 'internal');
  const change = async (sent: Record<string, string>) => {
    const body = { fresh_sign_in_within_millis: null };
    const answer = await server.call('PATCH /internal/extensions/session-policy', {
      level: 'admin',
      body,
      headers: sent,
    });
    return answer.headers.get('x-stack-known-error') ?? answer.status;
  };
  expect(await change(headers)).toBe(200);
  expect(await change(await olderHeaders(ownerRecentSignInMs))).toBe('REAUTHENTICATION_REQUIRED');
});

describe('control 68: the code in the subject of an email', () => {
  const subjectSchema = z.object({ subject: z.string() });

  async function subjects(headers?: Record<string, string>): Promise<string[]> {
    const asAdmin = { project, level: 'admin', ...(headers && { headers }) } as const;
    const listed = await server.call('GET /internal/emails', asAdmin);
    const page = await server.call('GET /internal/extensions/sent-emails', asAdmin);
    const [first] = z.object({ items: z.array(subjectSchema.extend({ id: z.string() })) }).parse(page.json).items;
    const params = { id: first?.id ?? '' };
    const one = await server.call('GET /internal/extensions/sent-emails/{id}', { ...asAdmin, params });
    const newest = z.object({ items: z.array(subjectSchema) }).parse(listed.json).items[0];
    return [newest, first, subjectSchema.parse(one.json)].map(email => email?.subject ?? '');
  }

  async function sendCode() {
    const body = { email: 'grace@example.com', callback_url: 'http://localhost:3000/magic-link' };
    await server.call('POST /auth/otp/send-sign-in-code', { project, body });
    const [email] = await server.mailbox('grace@example.com');
    return email?.otp ?? '';
  }

  test('is hidden in the log from an owner whose sign-in is older than ten minutes', async () => {
    const { olderHeaders } = await signInOwner(server, project.id);
    const older = await olderHeaders();
    const code = await sendCode();
    const hidden = 'Sign in to A project: Your code is ••••••';
    expect(await subjects(older)).toEqual([hidden, hidden, hidden]);
    const shown = hidden.replace('••••••', code);
    expect(await subjects((await signInOwner(server, project.id)).headers)).toEqual([shown, shown, shown]);
  });

  test('is shown in the log to a key', async () => {
    const shown = `Sign in to A project: Your code is ${await sendCode()}`;
    expect(await subjects()).toEqual([shown, shown, shown]);
  });
});

test.each([
  ['a trusted domain', { domains: [{ domain: 'https://evil.example', handler_path: '/handler' }] }],
  ['localhost', { allow_localhost: true }],
])('control 68: %s is trusted only after a sign-in of the owner in the last hour', async (_, config) => {
  const { headers, olderHeaders } = await signInOwner(server, project.id);
  const change = async (sent: Record<string, string>, changes: object) => {
    const options = { project, level: 'admin', body: { config: changes }, headers: sent } as const;
    const answer = await server.call('PATCH /internal/projects/current', options);
    return answer.headers.get('x-stack-known-error') ?? answer.status;
  };
  expect(await change(headers, { allow_localhost: false })).toBe(200);
  const older = await olderHeaders(ownerRecentSignInMs);
  expect(await change(older, config)).toBe('REAUTHENTICATION_REQUIRED');
  expect(await change(older, { allow_localhost: false })).toBe(200);
});
