import { accessLevels, atLevel, type Endpoint, endpoints } from '@tessera/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { addWebhookEndpoint } from '../../../test/webhook-endpoint.ts';
import { callback, openScene, type Person, type Scene } from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let email: string;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  email = scene.address();
  ada = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password: old });
});

const old = 'the old password';
const chosen = 'what the server chose';

/** The names of password fields in a JSON schema. */
function passwordFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const names = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  const inside = Object.values(schema).flatMap(passwordFields);
  return [...new Set([...names.filter(name => /password/i.test(name)), ...inside])];
}

/** Fields about passwords that hold none. */
const aboutPasswords = new Set(['has_password', 'refuses_weak_passwords']);
/** Endpoints whose password belongs to the SMTP server of a project. */
const isOfMailServer = ({ path }: Endpoint) =>
  path.startsWith('/internal/projects') || path.endsWith('/send-test-email');

/** The endpoints with passwords of users, by route, at all levels. */
function holds(part: 'body' | 'response'): Record<string, string[]> {
  const ofUsers = endpoints.filter(endpoint => !isOfMailServer(endpoint));
  const fields = ofUsers.map((endpoint: Endpoint) => {
    const declared = endpoint[part];
    const schemas = declared === undefined ? [] : accessLevels.map(level => atLevel<z.ZodType>(declared, level));
    const names = schemas.flatMap(schema =>
      passwordFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    );
    return [
      `${endpoint.method} ${endpoint.path}`,
      [...new Set(names)].filter(name => !aboutPasswords.has(name)),
    ] as const;
  });
  return Object.fromEntries(fields.filter(([, names]) => names.length > 0));
}

const signIn = (password: string) => scene.call('POST /auth/password/sign-in', { body: { email, password } });

describe('control 11: no response has a password, and no caller can make the server choose one', () => {
  test('no response schema has a password or a hash', () => {
    expect(holds('response')).toEqual({});
  });

  test('only endpoints that receive a password in the request change or check one', () => {
    expect(holds('body')).toEqual({
      'POST /users': ['password', 'password_hash'],
      'PATCH /users/me': ['password', 'password_hash'],
      'PATCH /users/{user_id}': ['password', 'password_hash'],
      'POST /auth/password/sign-up': ['password'],
      'POST /auth/password/sign-in': ['password'],
      'POST /auth/password/set': ['password'],
      'POST /auth/password/update': ['old_password', 'new_password'],
      'POST /auth/password/reset': ['password'],
      'POST /extensions/first-owner': ['password'],
      'POST /extensions/project-invitations/sign-up': ['password'],
      // Proves the current password; changes none.
      'POST /extensions/reauthentication': ['password'],
    });
  });

  test.each(['server', 'admin'] as const)(
    'an update of other fields at level %s keeps the password and the session',
    async level => {
      const body = { display_name: 'Ada', primary_email_verified: true, totp_secret_base64: null };
      await scene.call('PATCH /users/{user_id}', { level, params: { user_id: ada.id }, body });
      expect(await signIn(old)).toMatchObject({ status: 200 });
      expect(await scene.isLive(ada)).toBe(true);
    },
  );

  test('a password that a server sets is in no response, event or log, ends the sessions, and the user gets a notice', async () => {
    await addWebhookEndpoint(server.deps.db, scene.project.id);
    await scene.takeEmails();
    const change = { level: 'server', params: { user_id: ada.id }, body: { password: chosen } } as const;
    const answer = await scene.call('PATCH /users/{user_id}', change);
    const messages = await scene.takeEmails();
    expect(messages).toEqual([{ template: 'password_changed', recipient: email, variables: {} }]);
    const events = await server.deps.db.query(sql`
      select type, data from webhook_events where project_id = ${scene.project.id}
    `);
    const audit = await scene.call('GET /internal/extensions/audit-log', { level: 'admin' });
    for (const what of [answer, events, audit, server.logged()]) {
      expect(JSON.stringify(what)).not.toMatch(/what the server chose|argon2/);
    }
    expect([await scene.isLive(ada), (await signIn(old)).status, (await signIn(chosen)).status]).toEqual([
      false,
      400,
      200,
    ]);
  });

  test.each(['server', 'admin'] as const)(
    'a reset that is requested at level %s changes nothing until the user completes it',
    async level => {
      const body = { email, callback_url: callback };
      const answer = await scene.call('POST /auth/password/send-reset-code', { level, body });
      expect(answer).toEqual({ status: 200, body: { success: 'maybe, only if user with e-mail exists' } });
      const [message] = await scene.takeEmails();
      expect(message).toMatchObject({ template: 'password_reset', recipient: email });
      // Nothing has changed before the user chooses a new password.
      expect(await signIn(old)).toMatchObject({ status: 200 });
      expect(await scene.isLive(ada)).toBe(true);
    },
  );
});
