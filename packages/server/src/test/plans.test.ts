import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/database/sql.ts';
import { openTestServer, type TestServer } from './harness.ts';

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
  const statements = await server.deps.db.query<{ statement: string; custom: number; generic: number }>(sql`
    select statement, custom_plans as custom, generic_plans as generic from pg_prepared_statements
    where custom_plans + generic_plans >= ${repetitions}
  `);
  expect(statements.length).toBeGreaterThanOrEqual(5);
  expect(statements.filter(({ custom }) => custom > plannedAtFirst)).toEqual([]);
});
