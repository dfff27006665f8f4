import type { ProjectAccess } from '@tessera/testing/call';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openTestServer, type TestServer } from '../../../../test/harness.ts';

const pageSchema = z.object({ items: z.array(z.object({ display_name: z.string() })) });

let server: TestServer;
let project: ProjectAccess;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  for (const display_name of names) {
    server.clock.advance(1);
    await server.call('POST /users', { project, level: 'server', body: { display_name } });
    await server.call('POST /teams', { project, level: 'server', body: { display_name } });
  }
});
afterAll(() => server.close());

/** With combining marks, as some systems write file and contact names. */
const decomposed = 'Zoë Wójcik'.normalize('NFD');
const names = [
  'Inês Müller',
  'Ines Muller',
  decomposed,
  'Søren Æbelø',
  'Łukasz Groß',
  'İsmail Işık',
  'Nguyễn Đình Thi',
  'Γιώργος Κοσμάς',
  'Николай Королёв',
  'が行 한글',
  'हिन्दी',
];

/** What is searched, and what is found. */
const searches: readonly (readonly [search: string, found: readonly string[]])[] = [
  ['ines', ['Inês Müller', 'Ines Muller']],
  ['INÊS', ['Inês Müller', 'Ines Muller']],
  ['inês muller', ['Inês Müller', 'Ines Muller']],
  ['müller', ['Inês Müller', 'Ines Muller']],
  ['müller'.normalize('NFD'), ['Inês Müller', 'Ines Muller']],
  ['zoë wójcik', [decomposed]],
  ['zoe woj', [decomposed]],
  ['soren aebelo', ['Søren Æbelø']],
  ['SØREN', ['Søren Æbelø']],
  ['lukasz gross', ['Łukasz Groß']],
  ['GROẞ', ['Łukasz Groß']],
  ['ismail isik', ['İsmail Işık']],
  ['IŞIK', ['İsmail Işık']],
  ['nguyen dinh', ['Nguyễn Đình Thi']],
  ['ΓΙΩΡΓΟΣ', ['Γιώργος Κοσμάς']],
  ['ΚΟΣ', ['Γιώργος Κοσμάς']],
  ['королев', ['Николай Королёв']],
  ['が行', ['が行 한글']],
  // Marks of scripts in which they make another letter are kept.
  ['か行', []],
  ['하글', []],
  ['हन', []],
];

async function find(
  route: 'GET /users' | 'GET /internal/extensions/users' | 'GET /internal/extensions/teams',
  query: string,
) {
  const order = route === 'GET /internal/extensions/teams' ? { order: 'oldest' } : {};
  const answer = await server.call(route, { project, level: 'admin', query: { query, ...order } });
  return pageSchema.parse(answer.json).items.map(item => item.display_name);
}

describe.each(['GET /users', 'GET /internal/extensions/users', 'GET /internal/extensions/teams'] as const)(
  '%s',
  route => {
    test.each(searches)('a search for %s ignores accents, case and the normal form', async (search, found) => {
      expect(await find(route, search)).toEqual(found);
    });
  },
);

test('two letters find the names that begin with them, without regard to accents', async () => {
  expect(await find('GET /users', 'zo')).toEqual([decomposed]);
  expect(await find('GET /users', 'ŁU')).toEqual(['Łukasz Groß']);
});

test('a search of nothing but an accent does not list everybody', async () => {
  expect(await find('GET /users', '\u0301')).toEqual([]);
  expect(await find('GET /internal/extensions/teams', '\u0301')).toEqual([]);
});
