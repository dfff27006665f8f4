import { randomUUID } from 'node:crypto';
import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../../test/harness.ts';

const hour = 3_600_000;
const crowdSchema = z.object({
  items: z.array(z.object({ display_name: z.string() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});
const pageSchema = z.object({ items: z.array(z.object({ display_name: z.string() })) });

/** In the order of sign-up. */
const names = Array.from({ length: 40 }, (_, number) => {
  const last = ['Xylophon', 'Bergmann', 'O_Neil', '100% Müller', 'Мария'][number % 5];
  return `Anna ${number % 2 === 0 ? 'Maria' : 'Zoe'} ${last} ${number}`;
});

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer({ environment: { TESSERA_DATABASE_POOL: '1' } });
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

describe('a search for a word that hundreds of users have', () => {
  const count = 10_000;
  const minute = 60_000;
  let crowd: ProjectAccess;

  /** Every 60th is a Wilson, and a group of them; the Tanakas are among the last ones. */
  const nameOf = (number: number) => {
    if (number % 60 === 0 || (number >= 4_000 && number < 4_120)) return `Wilson ${number}`;
    return number >= 9_000 && number % 4 === 1 ? `Tanaka ${number}` : `Person ${number}`;
  };
  const numbers = Array.from({ length: count }, (_, number) => number);
  const expected = (word: string) => numbers.map(nameOf).filter(name => name.startsWith(word));

  beforeAll(async () => {
    crowd = await server.make.project();
    const ids = numbers.map(() => randomUUID());
    await server.deps.db.query(sql`
      insert into users (project_id, id, display_name, search, signed_up_at_millis)
      select ${crowd.id}, id, name, lower(name) || chr(10) || id, ${server.clock.now()} + number * ${17 * minute}
      from unnest(${ids}::uuid[], ${numbers.map(nameOf)}::text[], ${numbers}::bigint[]) as person (id, name, number)
    `);
    await server.deps.db.query(sql`analyze users`);
    server.clock.advance(hour);
  });

  async function walk(query: string, desc: boolean): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await server.call('GET /users', {
        project: crowd,
        level: 'server',
        query: { query, desc: String(desc), limit: '100', ...(cursor !== undefined && { cursor }) },
      });
      const { items, pagination } = crowdSchema.parse(answer.json);
      found.push(...items.map(user => user.display_name));
      cursor = pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  }

  test.each(['Wilson', 'Tanaka'])('%s: all of them in both orders', async word => {
    expect(await walk(word, false)).toEqual(expected(word));
    expect(await walk(word, true)).toEqual(expected(word).reverse());
  });

  test('is looked up in periods of sign-up, with one plan', async () => {
    for (let turn = 1; turn <= 8; turn++) {
      await walk('Wilson', false);
      await walk('Wilson', true);
    }
    const statements = await server.deps.db.query<{ custom: number; generic: number }>(sql`
      select custom_plans::integer as custom, generic_plans::integer as generic from pg_prepared_statements
      where statement like '%&& array(%'
    `);
    // A first and a later page in each order; and this statement.
    expect(statements.length).toBe(5);
    expect(statements.filter(({ custom, generic }) => custom > 5 || generic === 0)).toEqual([]);
  });
});
