import { asAdministrator, createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type DatabaseFacts, databaseProblem } from './database-check.ts';
import { migrate } from './migrate.ts';

const usable: DatabaseFacts = {
  version: 150_004,
  name: 'tessera',
  encoding: 'UTF8',
  replicationRole: 'origin',
  schema: 'public',
  searchPath: '"$user", public',
  lowersI: true,
  isInstalled: false,
  foreignTable: null,
  hiddenExtensions: [],
};

test('a usable database has no problem', () => {
  expect(databaseProblem(usable)).toBe(undefined);
});

test.each<[string, Partial<DatabaseFacts>, string]>([
  ['an old version', { version: 140_011 }, 'PostgreSQL 14. Version 15 or newer'],
  ['another encoding', { encoding: 'SQL_ASCII' }, 'encoding SQL_ASCII'],
  ['triggers that do not run', { replicationRole: 'replica' }, 'reset session_replication_role'],
  ['no schema', { schema: null, searchPath: 'app' }, 'search path (app)'],
  ['an extension in another schema', { hiddenExtensions: ['pg_trgm'] }, 'alter extension pg_trgm set schema public'],
  ['a table of another application', { foreignTable: 'users' }, 'a table users of another application'],
  ['a Turkish locale', { lowersI: false }, 'another one: create database'],
])('a database with %s is refused', (_, facts, sentence) => {
  expect(databaseProblem({ ...usable, ...facts })).toContain(sentence);
});

test('a database that was installed with another encoding or a Turkish locale goes on', () => {
  expect(databaseProblem({ ...usable, isInstalled: true, encoding: 'LATIN1', lowersI: false })).toBe(undefined);
});

describe('a migration', () => {
  async function emptyDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase({ isEmpty: true });
    onTestFinished(() => database.drop());
    return database;
  }

  test('refuses a database with another encoding', async () => {
    const { connection } = await emptyDatabase();
    const name = `${connection.database}_latin1`;
    await asAdministrator(connection, client =>
      client.query(`create database ${name} template template0 encoding 'LATIN1' locale 'C' locale_provider libc`),
    );
    onTestFinished(() =>
      asAdministrator(connection, async client => void (await client.query(`drop database ${name}`))),
    );
    await expect(migrate({ ...connection, database: name })).rejects.toThrow('has the encoding LATIN1');
  });

  test('refuses a database in which triggers do not run', async () => {
    const { connection, query } = await emptyDatabase();
    await query(`alter database ${connection.database} set session_replication_role = replica`);
    await expect(migrate(connection)).rejects.toThrow('session_replication_role is replica');
  });

  test('refuses a search path without a schema', async () => {
    const { connection } = await emptyDatabase();
    await expect(migrate({ ...connection, options: '-c search_path=app' })).rejects.toThrow('search path (app)');
  });

  test('refuses a schema without the operators of an extension', async () => {
    const { connection, query } = await emptyDatabase();
    await query('create schema extensions');
    await query('create extension pg_trgm schema extensions');
    await expect(migrate(connection)).rejects.toThrow('lacks the schema of pg_trgm');
  });

  test.each(['create table migrations (id integer, migration text)', 'create table users (id integer)'])(
    'refuses the database of another application: %s',
    async statement => {
      const { connection, query } = await emptyDatabase();
      await query(statement);
      await expect(migrate(connection)).rejects.toThrow('of another application');
      expect(await query(`select to_regnamespace('graphile_worker') as queue`)).toEqual([{ queue: null }]);
    },
  );
});
