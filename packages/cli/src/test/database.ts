import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

interface TestPostgres {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres;
    templateDatabase: string;
  }
}

export interface TestDatabase {
  readonly url: string;
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Creates a database: a copy of the migrated template, or an empty one. */
export async function createDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = options.isEmpty === true ? 'template0' : inject('templateDatabase');
  await query(urlOf(inject('postgres').database), `create database ${name} template ${template}`);
  return {
    url: urlOf(name),
    query: (text, values) => query(urlOf(name), text, values),
    drop: async () => {
      await query(urlOf(inject('postgres').database), `drop database if exists ${name} with (force)`);
    },
  };
}

async function query(connectionString: string, text: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const { host, port, user, password = '' } = inject('postgres');
  return `postgresql://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
