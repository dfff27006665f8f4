import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../../test/harness.ts';

const hour = 3_600_000;
const pageSchema = z.object({ items: z.array(z.object({ display_name: z.string() })) });

/** In the order of sign-up. */
const names = Array.from({ length: 40 }, (_, number) => {
  const last = ['Xylophon', 'Bergmann', 'O_Neil', '100% Müller', 'Мария'][number % 5];
  return `Anna ${number % 2 === 0 ? 'Maria' : 'Zoe'} ${last} ${number}`;
});

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  for (const display_name of names) {
    server.clock.advance(1_000);
    await server.call('POST /users', { project, level: 'server', body: { display_name } });
  }
  // Users of another project are not found, although they are in the same statistics.
  const other = await server.make.project();
  await server.call('POST /users', { project: other, level: 'server', body: { display_name: 'Anna Xylophon' } });
});
afterAll(() => server.close());

async function find(query: string, limit: string): Promise<string[]> {
  const answer = await server.call('GET /users', { project, level: 'server', query: { query, limit } });
  expect(answer.status).toBe(200);
  return pageSchema.parse(answer.json).items.map(user => user.display_name);
}

const searches = [
  'anna',
  'xylophon',
  'xyl',
  'zoe xylophon',
  'xylophon 1',
  'maria bergmann 26',
  'bergmannx',
  'o_neil',
  'oxneil',
  '100% m',
  '100%xm',
  '% müller',
  'müller 3',
  'мария',
];

test('a search finds the same users in the same order with the statistics of the planner and without them', async () => {
  const expected = (search: string) => names.filter(name => name.toLowerCase().includes(search));
  const check = async () => {
    for (const search of searches) {
      const all = expected(search);
      expect([search, await find(search, '100')]).toEqual([search, all]);
      expect([search, await find(search, '3')]).toEqual([search, all.slice(0, 3)]);
    }
  };
  await check();
  await server.deps.db.query(sql`analyze users (search)`);
  // The server has read the empty statistics.
  server.clock.advance(hour);
  await check();
});
