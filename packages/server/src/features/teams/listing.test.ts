import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await server.make.project();
});

const pageSchema = z.object({
  items: z.array(z.object({ id: z.string(), display_name: z.string() })),
  is_paginated: z.literal(true),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});
const withId = z.object({ id: z.string() });

/** Creates teams, one later than the other. @returns their ids by name */
async function makeTeams(...names: string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const display_name of names) {
    server.clock.advance(1);
    const { json } = await server.call('POST /teams', { project, level: 'server', body: { display_name } });
    ids.set(display_name, withId.parse(json).id);
  }
  return ids;
}

const read = async (query: Record<string, string>) =>
  pageSchema.parse((await server.call('GET /internal/extensions/teams', { project, level: 'admin', query })).json);

/** The names of all pages. */
async function names(query: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await read({ ...query, ...(cursor !== '' && { cursor }) });
    found.push(...page.items.map(team => team.display_name));
    cursor = page.pagination.next_cursor;
  }
  return found;
}

test.each([
  ['newest', ['beta', 'Gamma', 'Alpha', 'delta']],
  ['oldest', ['delta', 'Alpha', 'Gamma', 'beta']],
  ['name', ['Alpha', 'beta', 'delta', 'Gamma']],
])('the pages of the team list in the order %s are complete', async (order, expected) => {
  await makeTeams('delta', 'Alpha', 'Gamma', 'beta');
  for (const limit of ['1', '2', '3', '4', '5']) expect(await names({ order, limit })).toEqual(expected);
});

test('a list in pages loses no team whose name begins with the same 200 characters as another one', async () => {
  const beginning = 'x'.repeat(250);
  await makeTeams(`${beginning}b`, `${beginning}a`, 'y');
  const listed = await names({ order: 'name', limit: '1' });
  expect(listed.toSorted()).toEqual([`${beginning}a`, `${beginning}b`, 'y']);
  expect(listed.at(-1)).toBe('y');
});

test('teams are found by a part of their name or by their id, and wildcards are ordinary characters', async () => {
  const ids = await makeTeams('North Sea', 'Northern 100%', 'South', '100 days');
  expect(await names({ query: 'NORTH' })).toEqual(['Northern 100%', 'North Sea']);
  expect(await names({ query: '0%' })).toEqual(['Northern 100%']);
  expect(await names({ query: '_' })).toEqual([]);
  expect(await names({ query: ids.get('South')?.toUpperCase() ?? '' })).toEqual(['South']);
  expect(await names({ query: '  ' })).toHaveLength(4);
});

test('a page after a deleted team is empty, and teams of another project are not listed', async () => {
  const ids = await makeTeams('One', 'Two');
  const cursor = ids.get('One') ?? '';
  expect((await read({ cursor })).items).toHaveLength(1);
  const other = project;
  project = await server.make.project();
  expect((await read({ cursor })).items).toEqual([]);
  expect(await names({})).toEqual([]);
  project = other;
  await server.call('DELETE /teams/{team_id}', { project, level: 'server', params: { team_id: cursor } });
  expect((await read({ cursor })).items).toEqual([]);
});
