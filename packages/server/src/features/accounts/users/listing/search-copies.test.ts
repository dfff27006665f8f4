import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { sql } from '../../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../../test/harness.ts';
import { searchCopies } from './search-copies.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const pageSchema = z.object({ items: z.array(z.object({ display_name: z.string() })) });
const withId = z.object({ id: z.string() });

test('the job makes names with accents searchable that an earlier release wrote, in all projects', async () => {
  const { db } = server.deps;
  const projects = [await server.make.project(), await server.make.project()];
  for (const project of projects) {
    for (const display_name of ['Inês Müller', '李小龙', 'Ann']) {
      await server.call('POST /users', { project, level: 'server', body: { display_name } });
    }
  }
  const [project = await server.make.project()] = projects;
  const ids = projects.map(({ id }) => id);
  await db.query(sql`
    update users set search = lower(display_name) || chr(10) || id where project_id = any(${ids}::text[])
  `);
  const find = async (query: string) => {
    const { json } = await server.call('GET /users', { project, level: 'server', query: { query } });
    return pageSchema.parse(json).items.map(user => user.display_name);
  };
  expect(await find('ines')).toEqual([]);

  await searchCopies(server.deps)({});
  for (const query of ['ines mu', 'Inês', 'müller'])
    expect([query, await find(query)]).toEqual([query, ['Inês Müller']]);
  expect(await find('李小')).toEqual(['李小龙']);
  const places = await db.query(sql`select ctid from users order by ctid`);
  await searchCopies(server.deps)({});
  expect(await db.query(sql`select ctid from users order by ctid`)).toEqual(places);
});

test('the job continues in another one while many users are left', async () => {
  const { db } = server.deps;
  const project = await server.make.project();
  await db.query(sql`
    insert into users (project_id, id, display_name, search, signed_up_at_millis)
    select ${project.id}, id, 'Zoë', 'zoë' || chr(10) || id, number
    from (select gen_random_uuid() as id, number from generate_series(1, 2001) number) users
  `);
  const left = async () =>
    db.query(sql`select id from users where project_id = ${project.id} and search not like ${'zoe\n\n%'}`);
  await searchCopies(server.deps)({});
  expect(await left()).toHaveLength(1);
  const jobs = await db.query(sql`select key from graphile_worker.jobs where task_identifier = 'search_copies'`);
  expect(jobs).toEqual([{ key: 'search_copies_catch_up' }]);
  await searchCopies(server.deps)({});
  expect(await left()).toEqual([]);
});

test('the search column keeps the original for the previous release', async () => {
  const project = await server.make.project();
  const body = { display_name: 'Inês\nMüller', primary_email: 'ines@example.com' };
  const { json } = await server.call('POST /users', { project, level: 'server', body });
  const { id } = withId.parse(json);
  const rows = await server.deps.db.query(
    sql`select search from users where project_id = ${project.id} and id = ${id}`,
  );
  const text = (name: string) => `${name}\nines@example.com\n`;
  expect(rows).toEqual([{ search: `${text('ines muller')}\n${text('inês müller')}${id}` }]);
});
