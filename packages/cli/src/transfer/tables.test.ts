import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportedTables, transientTables } from './tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('every table with a project_id is either exported or listed as left out', async () => {
  const rows = await database.query(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'project_id' order by 1`,
  );
  const known = [...exportedTables.map(({ name }) => name), ...Object.keys(transientTables)];
  expect(known.toSorted()).toEqual(rows.map(({ name }) => name));
});

test('every bytea column of an exported table is either encrypted or listed as public', async () => {
  const rows = await database.query(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and table_name = any($1)
     order by table_name, column_name`,
    [exportedTables.map(({ name }) => name)],
  );
  const declared = exportedTables.flatMap(({ name, encrypted, openBytes = [] }) =>
    [...openBytes, ...(encrypted === undefined ? [] : [encrypted.name])].map(column => `${name}.${column}`),
  );
  expect(declared.toSorted()).toEqual(rows.map(({ table, column }) => `${table}.${column}`));
});

test('every omitted column of an exported table exists and is optional', async () => {
  for (const { name, omit = [], order } of exportedTables) {
    const rows = await database.query(
      `select column_name as "column", is_nullable = 'YES' or column_default is not null or is_identity = 'YES' as "isOptional"
       from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [name],
    );
    const optional = rows.filter(({ isOptional }) => isOptional).map(({ column }) => column);
    expect(optional).toEqual(expect.arrayContaining([...omit]));
    expect(rows.map(({ column }) => column)).toEqual(expect.arrayContaining([...order]));
  }
});
