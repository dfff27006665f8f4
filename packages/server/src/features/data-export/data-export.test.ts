import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { bodyOf } from '../sign-in/passkey/ceremonies.fixtures.ts';
import { openScene, type Person, plainPasswords, type Scene } from '../sign-in/scene.fixtures.ts';

const password = 'correct horse battery';

let server: TestServer;
let scene: Scene;
let email: string;
let ada: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server, { allowUserApiKeys: true });
  email = scene.address();
  ada = await scene.person({ primary_email: email, primary_email_auth_enabled: true, password, display_name: 'Ada' });
});

const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';
const ask = ({ accessToken }: Pick<Person, 'accessToken'> = ada) =>
  scene.call('POST /extensions/data-export', { accessToken });
const exported = async (who?: Person) => bodyOf(await ask(who)) as Record<string, readonly object[]>;

describe('POST /extensions/data-export', () => {
  test('returns the account, its addresses, sessions, keys and activity, without secrets', async () => {
    const key = await scene.call('POST /user-api-keys', {
      accessToken: ada.accessToken,
      body: { user_id: 'me', description: 'Deploy', expires_at_millis: null, is_public: false },
    });
    const data = await exported();
    expect(data).toEqual({
      exported_at_millis: server.clock.now(),
      account: {
        id: ada.id,
        display_name: 'Ada',
        profile_image_url: null,
        signed_up_at_millis: expect.any(Number),
        last_active_at_millis: expect.toSatisfy(value => value === null || typeof value === 'number'),
        has_password: true,
        has_email_code: expect.any(Boolean),
        has_two_step_verification: false,
        client_metadata: null,
        client_read_only_metadata: null,
      },
      email_addresses: [
        {
          value: email,
          is_primary: true,
          is_verified: false,
          used_for_auth: true,
          added_at_millis: expect.any(Number),
        },
      ],
      passkeys: [],
      connected_accounts: [],
      sessions: [
        {
          created_at_millis: expect.any(Number),
          expires_at_millis: expect.any(Number),
          user_agent: expect.toSatisfy(isTextOrNull),
        },
      ],
      teams: [],
      api_keys: [expect.objectContaining({ description: 'Deploy', last_used_at_millis: null })],
      notification_preferences: [],
      security_activity: expect.any(Array),
    });
    const secret = (bodyOf(key) as { value: string }).value;
    const text = JSON.stringify(data);
    for (const part of [password, secret, ada.refreshToken]) expect(text).not.toContain(part);
  });

  test('contains no row of another user, and no server metadata', async () => {
    const eve = await scene.person({ primary_email: scene.address(), server_metadata: { plan: 'secret plan' } });
    const text = JSON.stringify(await exported(eve));
    for (const part of [email, ada.id, 'secret plan']) expect(text).not.toContain(part);
  });

  test('is recorded in the audit log of the user', async () => {
    await ask();
    const rows = await server.deps.db.query<{ action: string }>(
      sql`select action from audit_events where project_id = ${scene.project.id} and user_id = ${ada.id}`,
    );
    expect(rows.map(({ action }) => action)).toContain('user.data_exported');
  });

  test('an old session is refused where the project asks for a recent sign-in', async () => {
    await scene.configure({ freshSignInWithinMs: 60_000 });
    server.clock.advance(60_000);
    expect(await ask()).toEqual({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
  });

  test('a user exports five times a day', async () => {
    for (let count = 0; count < 5; count++) expect(await ask()).toMatchObject({ status: 200 });
    expect(await ask()).toMatchObject({ status: 429 });
  });
});
