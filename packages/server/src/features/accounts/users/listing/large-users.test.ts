import type { ProjectAccess } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
/** Together above the limit of a list: 60 times 768 KB. */
const count = 60;
const metadata = JSON.stringify('x'.repeat(255 * 1024));
const columns = sql`client_metadata, client_read_only_metadata, server_metadata`;
const sizes = sql`${metadata}::json, ${metadata}::json, ${metadata}::json`;

const page = z.object({
  items: z.array(z.object({ id: z.string() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

/** Follows the cursors of a list to its end. @returns the sizes of the pages */
async function readPages(route: 'GET /users' | 'GET /internal/extensions/users' | 'GET /internal/extensions/teams') {
  const lengths: number[] = [];
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '1000', ...(cursor === null ? {} : { cursor }) };
    const answer = await server.call(route, { project, level: 'admin', query });
    const { items, pagination } = page.parse(answer.json);
    lengths.push(items.length);
    for (const { id } of items) ids.add(id);
    cursor = pagination.next_cursor;
  } while (cursor !== null);
  return { lengths, found: ids.size };
}

describe('control 80: large rows of users', () => {
  beforeAll(async () => {
    project = await server.make.project();
    await server.deps.db.query(sql`
      insert into users (project_id, id, search, signed_up_at_millis, ${columns})
      select ${project.id}, gen_random_uuid(), '', number, ${sizes} from generate_series(1, ${count}::integer) number
    `);
  });

  test.each(['GET /users', 'GET /internal/extensions/users'] as const)(
    'make the pages of %s shorter, and none is left out',
    async route => {
      const { lengths, found } = await readPages(route);
      expect(found).toBe(count);
      expect(lengths.length).toBeGreaterThan(1);
    },
  );

  test('are all in an export', async () => {
    const exported = await server.call('GET /internal/extensions/users/export', { project, level: 'admin' });
    const ids = exported.text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).id);
    expect(new Set(ids).size).toBe(count);
  });
});

test('control 80: large rows of teams make the pages shorter, and the list without pages is refused with a sentence', async () => {
  project = await server.make.project();
  await server.deps.db.query(sql`
    insert into teams (project_id, id, display_name, created_at_millis, ${columns})
    select ${project.id}, gen_random_uuid(), 'A team', number, ${sizes} from generate_series(1, ${count}::integer) number
  `);
  const { lengths, found } = await readPages('GET /internal/extensions/teams');
  expect(found).toBe(count);
  expect(lengths.length).toBeGreaterThan(1);
  const whole = await server.call('GET /teams', { project, level: 'server' });
  expect(outcome(whole)).toEqual({ status: 400, says: 'a sentence' });
  expect(whole.text).toBe('The answer would be too large. Ask for fewer entries.');
});
