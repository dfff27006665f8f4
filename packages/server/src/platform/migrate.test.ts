import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test/database.ts';
import { type Migration, migrate, readMigrations } from './migrate.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
});
afterEach(() => database.drop());

function migration(number: number, text: string): Migration {
  return { number, name: `000${number}-step.sql`, text };
}

const first = migration(1, 'create table things (id integer primary key)');
const second = migration(2, 'insert into things (id) values (2)');

async function read(text: string): Promise<unknown[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('control 100: our own migrations', () => {
  test('are numbered without a gap, and run on an empty database once', async () => {
    const all = await readMigrations();
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
    expect(await migrate(database.connection)).toEqual({ applied: all.map(({ name }) => name) });
    expect(await migrate(database.connection)).toEqual({ applied: [] });
  });

  test('run once when many processes start at the same time', async () => {
    const all = await readMigrations();
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(database.connection)));
    const applied = results.flatMap(result => result.applied);
    expect(applied).toEqual(all.map(({ name }) => name));
  });
});

test('only what is new is applied, in the order of the numbers', async () => {
  await migrate(database.connection, [first]);
  expect(await migrate(database.connection, [first, second])).toEqual({ applied: ['0002-step.sql'] });
  expect(await read('select id from things')).toEqual([{ id: 2 }]);
});

describe('a migration that fails', () => {
  const broken = migration(2, 'insert into things (id) values (2); select 1 / 0');

  test('says which, and leaves nothing of itself', async () => {
    await expect(migrate(database.connection, [first, broken])).rejects.toThrow('migration 0002-step.sql failed');
    expect(await read('select id from things')).toEqual([]);
    expect(await read('select number from migrations')).toEqual([{ number: 1 }]);
  });

  test('can be mended and run again, at once', async () => {
    await migrate(database.connection, [first, broken]).catch(() => undefined);
    expect(await migrate(database.connection, [first, second])).toEqual({ applied: ['0002-step.sql'] });
  });
});

test('a migration that was changed after it was applied is refused', async () => {
  await migrate(database.connection, [first]);
  const changed = { ...first, text: `${first.text} ` };
  await expect(migrate(database.connection, [changed, second])).rejects.toThrow('was changed after it was applied');
});

test('a database that is newer than the program is refused, before anything is touched', async () => {
  await migrate(database.connection, [first, second]);
  await expect(migrate(database.connection, [first])).rejects.toThrow('use a newer version');
});

test('control 100: a migration does not wait long for a table', async () => {
  const shows = migration(1, `create table seen as select current_setting('lock_timeout') as value`);
  await migrate(database.connection, [shows]);
  expect(await read('select value from seen')).toEqual([{ value: '5s' }]);
});

test('control 100: an index can be built without locking its table', async () => {
  const concurrent = migration(2, '-- outside a transaction\ncreate index concurrently things_id on things (id)');
  expect(await migrate(database.connection, [first, concurrent])).toEqual({
    applied: ['0001-step.sql', '0002-step.sql'],
  });
});

test('a file that has not the name of a migration is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-migrations-'));
  await writeFile(join(folder, '1-first.sql'), 'select 1');
  await expect(readMigrations(folder)).rejects.toThrow('not the name of a migration: 1-first.sql');
  await rm(folder, { recursive: true });
});
