import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestPostgres {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of the tests. */
    postgres: TestPostgres;
    /** Name of the migrated database that each test copies. */
    templateDatabase: string;
  }
}

export interface TestDatabase {
  readonly connection: TestPostgres;
  drop(): Promise<void>;
}

/** Creates a database: a copy of the migrated template, or an empty one. */
export async function createTestDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  const postgres = inject('postgres');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const template = options.isEmpty === true ? 'template0' : inject('templateDatabase');
  await asAdministrator(postgres, client => client.query(`create database ${database} template ${template}`));
  return {
    connection: { ...postgres, database },
    drop: () =>
      asAdministrator(postgres, async client => {
        await client.query(`drop database if exists ${database} with (force)`);
      }),
  };
}

/** Runs statements on the maintenance database. */
export async function asAdministrator<T>(postgres: TestPostgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(postgres);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
