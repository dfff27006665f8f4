import { randomUUID } from 'node:crypto';
import { endpoints, type Route } from '@tessera/protocol';
import { ask, headersOf } from '@tessera/testing/call';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/database/sql.ts';
import { authorizationRows, rowsConfig } from './endpoints/authorization-rows.ts';
import { openTestServer, type TestServer } from './harness.ts';
import type { SignedUp } from './make.ts';

const password = 'canary horse battery';
let server: TestServer;
let ada: SignedUp;

beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_LOG_LEVEL: 'trace' } });
  ada = await server.make.user({ email: 'canary@nest.example', password });
});
afterAll(() => server.close());

const levels = ['client', 'server', 'admin'] as const;

test('control 96: after calls of every kind the log contains no secret', async () => {
  for (const { method, path } of endpoints) {
    const route = `${method} ${path}` as Route;
    const project = await server.make.project(rowsConfig);
    const user = await server.make.user({ project, email: `${randomUUID()}@nest.example`, password });
    const request = (await authorizationRows[route]?.request?.({ server, project, ada: user })) ?? {};
    for (const level of levels) {
      const credentials = { project, level, accessToken: user.accessToken, refreshToken: user.refreshToken };
      await server.call(route, { ...credentials, ...request });
      // The same calls with secrets in fields that must not have any.
      const body = { ...(request.body as object | undefined), password, nested: { deep: { deeper: { password } } } };
      const query = { password, code: user.refreshToken };
      await server.call(route, { ...credentials, ...request, query, ...(method === 'GET' ? {} : { body }) });
    }
  }
  await ask(server.app, `/api/v1/nowhere?token=${ada.accessToken}`, { headers: headersOf({}) });
  await ask(server.app, `/api/v1/${ada.refreshToken}`, { headers: headersOf({}) });

  // Failures are logged in full: the database quotes the values that it was sent.
  await server.deps.db.query(sql`alter table sessions add constraint canary check (expires_at_millis < 0) not valid`);
  await server.call('POST /auth/password/sign-in', { body: { email: ada.email, password } });
  await server.deps.db.query(sql`alter table sessions drop constraint canary`);

  expect(server.logged()).toContain('a request failed');
  // The log for owners contains no secret either (control 97).
  const audited = await server.deps.db.query(sql`select to_json(e) as event from audit_events e`);
  const logged = server.logged() + JSON.stringify(audited);
  for (const secret of [password, 'canary@nest', 'pck_test_internal', 'ssk_test_internal', 'sak_test_internal']) {
    expect(logged.includes(secret), secret).toBe(false);
  }
  expect(logged.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)).toBeNull();
  expect(logged.match(/\b[0-9a-hjkmnp-tv-z]{45}\b/g)).toBeNull();
  expect(logged.match(/\$argon2id\$/g)).toBeNull();
}, 180_000);
