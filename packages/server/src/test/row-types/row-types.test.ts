import { join } from 'node:path';
import { createTestDatabase } from '@tessera/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSourceProgram, isProductSource } from '../statements/source-program.ts';
import { findRowLies } from './row-lies.ts';
import { queries } from './row-types.fixtures.ts';
import { findTypedQueries } from './row-types.ts';

const sources = join(import.meta.dirname, '../..');
const program = createSourceProgram(join(sources, '..'));

/** Statements whose text is only known at run time; the tests of their features run them. */
const builtAtRunTimeMax = 11;

let client: pg.Client;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  close = async () => {
    await client.end();
    await database.drop();
  };
});
afterAll(() => close());

function queriesOf(isWanted: (path: string) => boolean) {
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  return findTypedQueries(
    sources,
    program,
    files.filter(file => file.startsWith(sources) && isWanted(file)),
  );
}

test('the row type of every statement has the names, types and nullability that the database describes', async () => {
  const found = queriesOf(isProductSource);
  expect(found.length).toBeGreaterThan(100);
  expect(await findRowLies(client, found)).toEqual([]);
});

test('every statement is compared, except for a few that are built at run time', () => {
  const built = queriesOf(isProductSource).filter(({ text }) => text === undefined);
  const places = built.map(({ place }) => place);
  expect(places.length, places.join('\n')).toBeLessThanOrEqual(builtAtRunTimeMax);
});

test('a row type that differs from the database is found', async () => {
  const fixtures = queriesOf(path => path.endsWith('row-types.fixtures.ts'));
  expect(fixtures).toHaveLength(Object.keys(queries).length);
  const lies = await findRowLies(client, fixtures);
  expect(lies.map(line => line.replace(/^\S+ /, ''))).toEqual([
    'has string for signedUpAtMillis, which is int8',
    'has no column for the property email',
    'selects is_anonymous, which the row type does not have',
    'does not allow null for displayName, whose column can be null',
    'the server refuses the statement: relation "no_such_table" does not exist',
  ]);
});
