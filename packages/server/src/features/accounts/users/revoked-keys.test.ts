import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../platform/database/sql.ts';
import { whileHolding, whileLocking } from '../../../test/concurrency/waiting-calls.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import type { SignedUp } from '../../../test/make.ts';
import { makeRevocableKeys } from '../../../test/revocable-keys.ts';
import { interruptedPasswords } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let project: ProjectAccess;
let ada: SignedUp;
const passwords = interruptedPasswords();
beforeAll(async () => {
  server = await openTestServer({ passwords, environment: { TESSERA_RATE_LIMITS: 'off' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project({ credentialEnabled: true });
  ada = await server.make.user({ project });
});

const password = 'chosen by the attacker';
const signIn = async (email: string) =>
  (await server.call('POST /auth/password/sign-in', { project, body: { email, password } })).status;
const userIds = async () => {
  const list = await server.call('GET /users', { project, level: 'server' });
  return z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(list.json)
    .items.map(({ id }) => id);
};

describe('control 93: a request with a key that is revoked while the request waits', () => {
  const makeKeys = () => makeRevocableKeys(server, project);

  test.each([
    ['server', 'INVALID_SECRET_SERVER_KEY'],
    ['admin', 'INVALID_SUPER_SECRET_ADMIN_KEY'],
  ] as const)('for a hash at level %s sets no password and creates no user', async (level, code) => {
    const refused = { status: 401, code, details: { project_id: project.id } };
    const first = await makeKeys();
    passwords.meanwhile = first.revoke;
    const params = { user_id: ada.userId };
    const changed = await server.call('PATCH /users/{user_id}', {
      project: first.leaked,
      level,
      params,
      body: { password },
    });
    expect(outcome(changed)).toEqual(refused);
    expect(await signIn(ada.email)).toBe(400);
    const second = await makeKeys();
    passwords.meanwhile = second.revoke;
    const body = { primary_email: 'new@users.example', primary_email_auth_enabled: true, password };
    expect(outcome(await server.call('POST /users', { project: second.leaked, level, body }))).toEqual(refused);
    expect(await userIds()).toEqual([ada.userId]);
  });

  test('in a running import creates no more users', async () => {
    const { leaked, revoke } = await makeKeys();
    const users = [{ primary_email: ada.email, display_name: 'Ada' }, { primary_email: 'new@users.example' }];
    const body = { is_dry_run: false, on_conflict: 'update', users };
    const answer = await whileHolding(server, ada.userId, {
      work: () => server.call('POST /internal/extensions/users/import', { project: leaked, level: 'admin', body }),
      meanwhile: revoke,
    });
    expect(answer.json).toMatchObject({ results: [{ status: 'updated' }, { status: 'failed', user_id: null }] });
    expect(await userIds()).toEqual([ada.userId]);
  });

  test('for the number of recipients sends no message', async () => {
    project = await server.make.project({ sharedServerSendsToUsers: true });
    await server.make.user({ project });
    const { leaked, revoke } = await makeKeys();
    const body = {
      subject: 'News',
      content: { root: { type: 'EmailLayout', data: { childrenIds: [] } } },
      notification_category_name: 'Marketing',
      audience: { type: 'all' },
      expected_recipients: 10,
    };
    const answer = await whileLocking(server, sql`notification_preferences`, {
      work: () => server.call('POST /internal/extensions/messages', { project: leaked, level: 'admin', body }),
      meanwhile: revoke,
    });
    expect(outcome(answer)).toMatchObject({ code: 'INVALID_SUPER_SECRET_ADMIN_KEY' });
    expect(await server.deps.db.query(sql`select id from messages where project_id = ${project.id}`)).toEqual([]);
  });

  test('another key of the project sets the password', async () => {
    const { revoke } = await makeKeys();
    passwords.meanwhile = revoke;
    const params = { user_id: ada.userId };
    await server.call('PATCH /users/{user_id}', { project, level: 'server', params, body: { password } });
    expect(await signIn(ada.email)).toBe(200);
  });
});
