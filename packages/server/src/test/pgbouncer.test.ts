import { internalKeySettings, internalKeys } from '@tessera/testing/call';
import { connectionString, createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '@tessera/testing/pgbouncer';
import { type ListeningServer, startServer } from '@tessera/testing/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const shared = {
  ...internalKeySettings,
  TESSERA_SECRET: 'a secret that both processes of this test share',
  TESSERA_PUBLIC_URL: 'http://localhost:4280',
};

describe.skipIf(!hasPgbouncer)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pgbouncer: Pgbouncer;
  let urls: { DATABASE_URL: string; TESSERA_DATABASE_DIRECT_URL: string };
  const servers: ListeningServer[] = [];

  beforeAll(async () => {
    database = await createTestDatabase({ isEmpty: true });
    pgbouncer = await startPgbouncer(database.connection, { mode: 'transaction' });
    urls = {
      DATABASE_URL: connectionString(pgbouncer.connection),
      TESSERA_DATABASE_DIRECT_URL: database.url,
    };
    for (let count = 0; count < 2; count++) servers.push(await startServer({ environment: { ...shared, ...urls } }));
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await pgbouncer.stop();
    await database.drop();
  });

  interface Asked {
    readonly server: number;
    readonly headers?: Record<string, string>;
    readonly body?: object;
  }

  async function ask(method: string, path: string, { server, headers, body }: Asked) {
    const answer = await fetch(`http://127.0.0.1:${servers[server]?.port}/api/v1${path}`, {
      method,
      headers: {
        'x-stack-access-type': 'client',
        'x-stack-project-id': 'internal',
        'x-stack-publishable-client-key': internalKeys.publishableClientKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json().catch(() => ({}))) as Record<string, string> };
  }

  const admin = {
    'x-stack-access-type': 'admin',
    'x-stack-super-secret-admin-key': internalKeys.superSecretAdminKey,
  };

  test('a start without the direct address is refused with an error that names the variable', async () => {
    const { DATABASE_URL } = urls;
    await expect(startServer({ environment: { ...shared, DATABASE_URL } })).rejects.toThrow(
      /pooler in transaction mode.*set TESSERA_DATABASE_DIRECT_URL/,
    );
  });

  test('40 concurrent sign-ups, sign-ins and reads succeed on three server connections', async () => {
    const journey = async (_: unknown, index: number) => {
      const credentials = { email: `user-${index}@example.com`, password: 'correct horse battery staple' };
      const signUp = { ...credentials, verification_callback_url: 'http://localhost/verify' };
      const created = await ask('POST', '/auth/password/sign-up', { server: index % 2, body: signUp });
      const signedIn = await ask('POST', '/auth/password/sign-in', { server: (index + 1) % 2, body: credentials });
      const headers = { 'x-stack-access-token': signedIn.json.access_token ?? '' };
      const renamed = await ask('PATCH', '/users/me', { server: 0, headers, body: { display_name: `name ${index}` } });
      const me = await ask('GET', '/users/me', { server: 1, headers });
      return [created.status, signedIn.status, renamed.status, me.status, me.json.display_name];
    };
    const seen = await Promise.all(Array.from({ length: 40 }, journey));
    expect(seen).toEqual(seen.map((_, index) => [200, 200, 200, 200, `name ${index}`]));
  });

  test('the job queue delivers the emails of the sign-ups', async () => {
    const mails = async () => {
      const answer = await fetch(`http://127.0.0.1:${servers[0]?.port}/dev/mail`);
      return answer.text();
    };
    await vi.waitFor(async () => expect(await mails()).toContain('user-39@example.com'), { timeout: 20_000 });
  });

  test('a key that one process revokes is refused by the other', async () => {
    const created = await ask('POST', '/internal/api-keys', {
      server: 0,
      headers: admin,
      body: {
        description: 'drill',
        expires_at_millis: Date.now() + 3_600_000,
        has_publishable_client_key: false,
        has_secret_server_key: true,
        has_super_secret_admin_key: false,
      },
    });
    const key = { 'x-stack-access-type': 'server', 'x-stack-secret-server-key': created.json.secret_server_key ?? '' };
    const use = () => ask('GET', '/projects/current', { server: 1, headers: key });
    expect((await use()).status).toBe(200);
    await ask('PATCH', `/internal/api-keys/${created.json.id}`, {
      server: 0,
      headers: admin,
      body: { revoked: true },
    });
    await vi.waitFor(async () => expect((await use()).status).toBe(401), { timeout: 20_000 });
  });
});
