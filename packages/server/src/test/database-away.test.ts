import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tessera/embedded-postgres';
import { ask } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { migrate } from '../platform/database/migration/migrate.ts';
import { openTestServer, type TestServer } from './harness.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
let server: TestServer;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tessera-away-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.connection);
  server = await openTestServer({ connection: postgres.connection });
});
afterAll(async () => {
  await server.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const jwks = 'GET /projects/{project_id}/.well-known/jwks.json' as const;
const internal = { level: null, params: { project_id: 'internal' } } as const;

describe.sequential('control 102: while the database is unavailable', () => {
  test('every response that needs it is a text 503 with Retry-After, and nothing crashes', async () => {
    const ada = await server.make.user();
    await server.call(jwks, internal);
    const credentials = { email: ada.email, password: ada.password };
    await postgres.stop();

    const answers = await Promise.all([
      server.call('GET /users/me', { accessToken: ada.accessToken }),
      server.call('PATCH /users/me', { accessToken: ada.accessToken, body: { display_name: 'x' } }),
      server.call('POST /auth/password/sign-in', { body: credentials }),
      server.call('POST /auth/password/sign-up', {
        body: { ...credentials, email: 'new@example.com', verification_callback_url: 'http://localhost/' },
      }),
      server.call('POST /auth/sessions/current/refresh', { refreshToken: ada.refreshToken }),
      ask(server.app, '/health?db=1'),
    ]);
    for (const answer of answers) {
      expect(outcome(answer)).toEqual({ status: 503, says: 'a sentence' });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });

  test('cached data is served: public keys, health, and requests without a project', async () => {
    server.clock.advance(60_000);
    const paths = ['/health', '/api/v1', '/api/v1/openapi.json', '/'];
    const statuses = await Promise.all(paths.map(async path => (await ask(server.app, path)).status));
    expect([...statuses, (await server.call(jwks, internal)).status]).toEqual([200, 200, 200, 200, 200]);
    server.clock.advance(60_000);
    expect((await server.call(jwks, internal)).status).toBe(200);
  });

  test('a malformed body is refused with 400, and an unknown path with 404', async () => {
    const headers = { 'content-type': 'application/json' };
    const malformed = await ask(server.app, '/api/v1/users/me', { method: 'PATCH', headers, body: '{' });
    const unknown = await ask(server.app, '/api/v1/nowhere');
    expect([malformed.status, unknown.status]).toEqual([400, 404]);
  });

  test('the status override applies to the 503 as well', async () => {
    const answer = await server.call('GET /projects/current', { headers: { 'x-stack-override-error-status': 'true' } });
    expect([answer.status, answer.headers.get('x-stack-actual-status')]).toEqual([200, '503']);
    expect(answer.headers.get('retry-after')).not.toBeNull();
  });

  test('no failure is logged as an error of the server', () => {
    expect(server.logged()).not.toMatch(/"level":"(error|fatal)"/);
  });

  test('health checks of the database add no line with a stack to the log', async () => {
    for (let count = 0; count < 20; count++) await ask(server.app, '/health?db=1');
    expect(server.logged()).not.toContain('a service page failed');
    expect(server.logged()).toContain('the database is not available');
  });

  test('every request succeeds again after the database is back', async () => {
    postgres = await startEmbeddedPostgres({ dataDir });
    await vi.waitFor(async () => expect((await server.call('GET /projects/current')).status).toBe(200), {
      timeout: 20_000,
    });
    const eve = await server.make.user();
    expect((await server.call('GET /users/me', { accessToken: eve.accessToken })).status).toBe(200);
    await vi.waitFor(() => expect(server.deps.databaseNotifications.isReceiving()).toBe(true), { timeout: 20_000 });
  });
});
