import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Migration, migrate, readMigrations } from './migrate.ts';
import { thisRelease } from './releases.ts';

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
  test('have ascending numbers, and run once on an empty database', async () => {
    const all = await readMigrations();
    const numbers = all.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
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

test('only new migrations are applied, in the order of their numbers', async () => {
  await migrate(database.connection, [first]);
  expect(await migrate(database.connection, [first, second])).toEqual({ applied: ['0002-step.sql'] });
  expect(await read('select id from things')).toEqual([{ id: 2 }]);
});

test('each migration of an existing database is reported before it is applied', async () => {
  await migrate(database.connection, [first]);
  const reported: unknown[] = [];
  const broken = migration(3, 'select 1 / 0');
  const options = { report: (...given: unknown[]) => reported.push(given) };
  await migrate(database.connection, [first, second, broken], options).catch(() => undefined);
  const names = ['0002-step.sql', '0003-step.sql'];
  expect(reported).toEqual(names.map(name => [{ name }, 'applying a migration']));
});

describe('a migration that fails', () => {
  const broken = migration(2, 'insert into things (id) values (2); select 1 / 0');

  test('is named in the error, and its changes are rolled back', async () => {
    await expect(migrate(database.connection, [first, broken])).rejects.toThrow('migration 0002-step.sql failed');
    expect(await read('select id from things')).toEqual([]);
    expect(await read('select number from migrations')).toEqual([{ number: 1 }]);
  });

  test('can be corrected and run again at once', async () => {
    await migrate(database.connection, [first, broken]).catch(() => undefined);
    expect(await migrate(database.connection, [first, second])).toEqual({ applied: ['0002-step.sql'] });
  });
});

test('a migration that was changed after it was applied is refused', async () => {
  await migrate(database.connection, [first]);
  const changed = { ...first, text: `${first.text} ` };
  await expect(migrate(database.connection, [changed, second])).rejects.toThrow('was changed after it was applied');
});

test('a database with unknown migrations and no recorded release is refused before any change', async () => {
  await migrate(database.connection, [first, second]);
  await expect(migrate(database.connection, [first])).rejects.toThrow('use a newer version');
});

describe('control 100: an upgrade and its rollback', () => {
  const current = { version: '0.9.0', minVersion: '0.8.0' };
  const next = { version: '0.10.0', minVersion: '0.9.0' };
  const afterNext = { version: '0.11.0', minVersion: '0.10.0' };
  const extra = migration(9_001, 'create table extra (id integer)');
  let all: Migration[];

  beforeEach(async () => {
    all = await readMigrations();
    await migrate(database.connection, all, { release: current });
    await migrate(database.connection, [...all, extra], { release: next });
  });

  test('the previous release starts on the schema of the next one', async () => {
    expect(await migrate(database.connection, all, { release: current })).toEqual({ applied: [] });
  });

  test('a start of the previous release does not lower the recorded release', async () => {
    await migrate(database.connection, all, { release: current });
    expect(await read('select version, min_version from schema_release')).toEqual([
      { version: '0.10.0', min_version: '0.9.0' },
    ]);
  });

  test('a release that is two versions older is refused with an error that names the versions', async () => {
    await migrate(database.connection, [...all, extra], { release: afterNext });
    await expect(migrate(database.connection, all, { release: current })).rejects.toThrow(
      'newer schema of Tessera 0.11.0, which needs 0.10.0 or newer. This is Tessera 0.9.0',
    );
  });
});

test('the newest release in the list is the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../../package.json', import.meta.url), 'utf8'));
  expect(thisRelease.version).toBe(version);
});

test('control 100: a migration waits for a table lock for a limited time only', async () => {
  const shows = migration(1, `create table seen as select current_setting('lock_timeout') as value`);
  await migrate(database.connection, [shows]);
  expect(await read('select value from seen')).toEqual([{ value: '5s' }]);
});

test('control 100: an index is built without locking its table', async () => {
  const concurrent = migration(2, '-- outside a transaction\ncreate index concurrently things_id on things (id)');
  expect(await migrate(database.connection, [first, concurrent])).toEqual({
    applied: ['0001-step.sql', '0002-step.sql'],
  });
});

test('an index whose build failed is built when the migration runs again', async () => {
  const words = migration(1, `create table words (word text); insert into words values ('one'), ('one')`);
  const unique = migration(
    2,
    '-- outside a transaction\ncreate unique index concurrently if not exists words_once on words (word)',
  );
  await expect(migrate(database.connection, [words, unique])).rejects.toThrow('migration 0002-step.sql failed');
  await read('delete from words');
  await migrate(database.connection, [words, unique]);
  expect(await read(`select indisvalid as valid from pg_index where indexrelid = 'words_once'::regclass`)).toEqual([
    { valid: true },
  ]);
});

test('an index build may wait for a long transaction', async () => {
  const shows = migration(
    1,
    `-- outside a transaction\ncreate table seen as select current_setting('lock_timeout') as value`,
  );
  await migrate(database.connection, [shows]);
  expect(await read('select value from seen')).toEqual([{ value: '0' }]);
});

test('a file name that is not the name of a migration is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-migrations-'));
  await writeFile(join(folder, '1-first.sql'), 'select 1');
  await expect(readMigrations(folder)).rejects.toThrow('not the name of a migration: 1-first.sql');
  await rm(folder, { recursive: true });
});
