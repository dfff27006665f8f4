import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Transaction, transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { insertKeySet } from './internal-api-keys/store.ts';
import { publishProjectChange } from './projects.ts';

let server: TestServer;
let beside: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  beside = await openTestServer({ beside: server });
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

const levels = ['client', 'server', 'admin'] as const;
const read = (project: ProjectAccess, options: CallOptions = {}, at = server) =>
  at.call('GET /projects/current', { project, ...options });

/** Changes a project, and waits until every process has received the notification. */
async function changeProject(projectId: string, change: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const heard = [server, beside].map(
    ({ deps }) =>
      new Promise<void>(resolve => deps.databaseNotifications.on('project', key => key === projectId && resolve())),
  );
  await transaction(server.deps.db, async tx => {
    await change(tx);
    await publishProjectChange(tx, projectId, server.deps);
  });
  await Promise.all(heard);
}

const invalidKey = {
  client: 'INVALID_PUBLISHABLE_CLIENT_KEY',
  server: 'INVALID_SECRET_SERVER_KEY',
  admin: 'INVALID_SUPER_SECRET_ADMIN_KEY',
} as const;
const refusedAt = (level: (typeof levels)[number], project: ProjectAccess) => ({
  status: 401,
  code: invalidKey[level],
  details: { project_id: project.id },
});

describe('GET /projects/current', () => {
  test('names the logo of a project that has one', async () => {
    const logoUrl = 'https://cdn.example/logo.png';
    const project = await server.make.project({ branding: { logoUrl } });
    expect(outcome(await read(project, { level: 'client' }))).toMatchObject({
      status: 200,
      body: { logo_url: logoUrl },
    });
  });

  test.each(levels)('returns only the fields of the client view at level %s', async level => {
    const project = await server.make.project({
      signUpEnabled: false,
      clientTeamCreationEnabled: true,
      domains: [{ domain: 'https://secret.example', handlerPath: '/handler' }],
    });
    expect(outcome(await read(project, { level }))).toEqual({
      status: 200,
      body: {
        id: project.id,
        display_name: 'A project',
        config: {
          sign_up_enabled: false,
          credential_enabled: true,
          magic_link_enabled: false,
          passkey_enabled: false,
          client_team_creation_enabled: true,
          client_user_deletion_enabled: false,
          allow_user_api_keys: false,
          allow_team_api_keys: false,
          enabled_oauth_providers: [],
        },
      },
    });
  });

  test('returns false for an unset setting, except for sign-up, which is true', async () => {
    const { id, ...keys } = await server.make.project();
    await changeProject(id, tx => tx.query(sql`update projects set config = '{}' where id = ${id}`));
    const { config } = (await read({ id, ...keys })).json as { config: Record<string, unknown> };
    const { sign_up_enabled, enabled_oauth_providers, ...others } = config;
    expect({ sign_up_enabled, enabled_oauth_providers }).toEqual({
      sign_up_enabled: true,
      enabled_oauth_providers: [],
    });
    expect(new Set(Object.values(others))).toEqual(new Set([false]));
  });

  test('refuses an unknown query key', async () => {
    const answer = await read(await server.make.project(), { query: { secret: '1' } });
    expect(outcome(answer)).toMatchObject({ status: 400, code: 'SCHEMA_ERROR' });
  });
});

test('a change of the settings reaches every process', async () => {
  const project = await server.make.project();
  const signUp = (at: TestServer, email: string) => {
    const body = { email, password: 'correct horse', verification_callback_url: 'http://localhost/' };
    return at.call('POST /auth/password/sign-up', { project, body });
  };
  expect((await signUp(server, 'before@example.com')).status).toBe(200);
  expect((await signUp(beside, 'beside@example.com')).status).toBe(200);
  const config = JSON.stringify({ credentialEnabled: true, allowLocalhost: true, signUpEnabled: false });
  await changeProject(project.id, tx => tx.query(sql`update projects set config = ${config} where id = ${project.id}`));
  for (const at of [server, beside]) {
    expect(outcome(await signUp(at, 'after@example.com'))).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    expect((await read(project, {}, at)).json).toMatchObject({ config: { sign_up_enabled: false } });
  }
});

describe('a key set', () => {
  test.each(levels)('that is revoked is refused by every process at level %s', async level => {
    const project = await server.make.project();
    for (const at of [server, beside]) expect((await read(project, { level }, at)).status).toBe(200);
    await changeProject(project.id, tx =>
      tx.query(sql`update api_key_sets set manually_revoked_at_millis = 1 where project_id = ${project.id}`),
    );
    for (const at of [server, beside]) {
      expect(outcome(await read(project, { level }, at))).toEqual(refusedAt(level, project));
    }
  });

  test('is refused from the millisecond of its expiry, without a notification', async () => {
    const project = await server.make.project();
    const expiresAtMillis = server.clock.now() + 5000;
    await changeProject(project.id, tx =>
      tx.query(sql`update api_key_sets set expires_at_millis = ${expiresAtMillis} where project_id = ${project.id}`),
    );
    server.clock.advance(4999);
    for (const level of levels) expect((await read(project, { level })).status).toBe(200);
    server.clock.advance(1);
    for (const level of levels) {
      expect(outcome(await read(project, { level }))).toEqual(refusedAt(level, project));
    }
  });

  test('is accepted and revoked independently of the other sets of its project', async () => {
    const project = await server.make.project();
    const second = { publishableClientKey: 'pck_2', secretServerKey: 'ssk_2', superSecretAdminKey: 'sak_2' };
    const createdAtMillis = server.clock.now();
    await changeProject(project.id, tx =>
      insertKeySet(tx, {
        projectId: project.id,
        description: '',
        source: 'project',
        keys: second,
        createdAtMillis,
        expiresAtMillis: createdAtMillis + 1000,
      }),
    );
    const withSecond = { ...project, ...second };
    expect([(await read(project)).status, (await read(withSecond)).status]).toEqual([200, 200]);
    server.clock.advance(1000);
    expect([(await read(project)).status, (await read(withSecond)).status]).toEqual([200, 401]);
  });

  test('without a key of some kind does not authenticate a request without a key', async () => {
    const project = await server.make.project();
    const none = sql`update api_key_sets set super_secret_admin_key_hash = null where project_id = ${project.id}`;
    await changeProject(project.id, tx => tx.query(none));
    expect(outcome(await read(project, { level: 'admin' }))).toEqual(refusedAt('admin', project));
    expect((await read(project, { level: 'server' })).status).toBe(200);
  });

  test('of another project is refused', async () => {
    const [mine, theirs] = [await server.make.project(), await server.make.project()];
    for (const level of levels) {
      expect(outcome(await read({ ...theirs, id: mine.id }, { level }))).toEqual(refusedAt(level, mine));
    }
  });

  test('authenticates each level only with the key of that level', async () => {
    const { id, publishableClientKey, secretServerKey, superSecretAdminKey } = await server.make.project();
    const shuffled = {
      id,
      publishableClientKey: secretServerKey,
      secretServerKey: superSecretAdminKey,
      superSecretAdminKey: publishableClientKey,
    };
    for (const level of levels) {
      expect(outcome(await read(shuffled, { level }))).toEqual(refusedAt(level, shuffled));
    }
  });

  test('is stored as hashes and last four characters', async () => {
    const project = await server.make.project();
    const rows = await server.deps.db.query(
      sql`select row_to_json(s)::text as row from api_key_sets s where project_id = ${project.id}`,
    );
    const text = JSON.stringify(rows);
    for (const key of [project.publishableClientKey, project.secretServerKey, project.superSecretAdminKey]) {
      expect(text).not.toContain(key);
    }
  });
});
