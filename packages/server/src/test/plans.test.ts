import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/database/sql.ts';
import { openTestServer, type TestServer } from './harness.ts';
import { addWebhookEndpoint } from './webhook-endpoint.ts';

/** PostgreSQL plans the first five executions of a statement for their values, then decides. */
const plannedAtFirst = 5;
const repetitions = 12;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '1' } });
});
afterAll(() => server.close());

test('statements of frequent requests keep their plan', async () => {
  const project = await server.make.project();
  const { accessToken, refreshToken, userId } = await server.make.user({ project });
  for (let turn = 1; turn <= repetitions; turn++) {
    const answers = [
      await server.call('GET /users/me', { project, accessToken }),
      await server.call('POST /auth/sessions/current/refresh', { project, refreshToken }),
      await server.call('GET /auth/sessions', { project, accessToken, query: { user_id: 'me' } }),
      await server.call('GET /users', { project, level: 'server', query: { limit: String(turn) } }),
      await server.call('GET /users/{user_id}', { project, level: 'server', params: { user_id: userId } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  }
  const statements = await plannedOften();
  expect(statements.length).toBeGreaterThanOrEqual(5);
  expect(statements.filter(({ custom }) => custom > plannedAtFirst)).toEqual([]);
});

test('statements of emails and webhooks keep their plan', async () => {
  const project = await server.make.project({ magicLinkEnabled: true });
  await addWebhookEndpoint(server.deps.db, project.id);
  for (let turn = 1; turn <= repetitions; turn++) {
    const body = { email: `${turn}@example.com`, callback_url: 'http://localhost:3000/callback' };
    await server.call('POST /auth/otp/send-sign-in-code', { project, body });
    await server.make.user({ project });
    await server.mailbox();
  }
  const statements = await plannedOften();
  const tables = ['insert into sent_mails', 'join mails', 'webhook_deliveries'];
  const ofQueue = statements.filter(({ statement }) => tables.some(table => statement.includes(table)));
  expect(ofQueue.filter(({ custom }) => custom > plannedAtFirst)).toEqual([]);
  const isPlanned = (text: string) => ofQueue.some(({ statement }) => statement.includes(text));
  expect(tables.map(isPlanned)).toEqual(tables.map(() => true));
});

function plannedOften(): Promise<{ statement: string; custom: number; generic: number }[]> {
  return server.deps.db.query(sql`
    select statement, custom_plans as custom, generic_plans as generic from pg_prepared_statements
    where custom_plans + generic_plans >= ${repetitions}
  `);
}
