import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { sql, withoutName } from '../sql.ts';
import { installRowParser } from './row-parser.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase({ isEmpty: true });
  db = openDatabase({ connection: database.connection, poolSize: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** In UTF-8 a character of these has one to four bytes. */
const characters = ['a', 'é', '€', '😀'];
/** Sizes in bytes around those whose own bytes are above 127, or all but one of them zero. */
const sizes = [0, 4, 124, 128, 132, 252, 256, 260, 32_764, 32_768, 65_532, 65_536, 98_304, 8_388_608];

test.each(characters)('a field of %s is read whole, whatever its size and beside nulls', async character => {
  for (const size of sizes) {
    const text = character.repeat(size / Buffer.byteLength(character));
    const statement = sql`select 'x' as before, null as nothing, ${text}::text as text, null as none, 7 as after`;
    const row = { before: 'x', nothing: null, text, none: null, after: 7 };
    expect(await db.query(statement)).toEqual([row]);
    expect(await db.query(withoutName(statement))).toEqual([row]);
  }
});

test('rows with and without characters outside ASCII are read together, in more bytes than the connection reads at once', async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `${characters[index % 4]} number ${index}`);
  const rows = await db.query(sql`
    select name, case when place % 3 = 0 then null else place end as place
    from unnest(${names}::text[]) with ordinality given (name, place) order by given.place
  `);
  expect(rows).toEqual(names.map((name, index) => ({ name, place: (index + 1) % 3 === 0 ? null : index + 1 })));
});

test('a row of 300 columns is read', async () => {
  const client = new pg.Client(database.connection);
  installRowParser(client.connection);
  await client.connect();
  const values = Array.from({ length: 300 }, (_, index) => (index % 5 === 0 ? null : `é${index}`));
  const columns = values.map((_, index) => `$${index + 1}::text`).join(', ');
  const { rows } = await client.query({ text: `select ${columns}`, values, rowMode: 'array' });
  await client.end();
  expect(rows).toEqual([values]);
});
