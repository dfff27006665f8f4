import type pg from 'pg';
import { OperatorError } from '../../operator-error.ts';

/** What a start reads about the database before it changes anything. */
export interface DatabaseFacts {
  readonly version: number;
  readonly name: string;
  readonly encoding: string;
  readonly replicationRole: string;
  /** The schema in which tables are created; null when no schema of the search path exists. */
  readonly schema: string | null;
  readonly searchPath: string;
  /** Whether `lower('I')` is `i`. In Turkish and Azerbaijani it is another letter. */
  readonly lowersI: boolean;
  /** Whether our tables are there. */
  readonly isInstalled: boolean;
  /** A table of another application with the name of one of ours. */
  readonly foreignTable: string | null;
  /** Extensions that are installed in a schema outside the search path. */
  readonly hiddenExtensions: readonly string[];
}

const minVersion = 150_000;

/** Our tables that other applications are likely to have, too. With a table of migrations of ours, all are ours. */
const commonTables = [
  'migrations',
  'users',
  'sessions',
  'teams',
  'projects',
  'events',
  'messages',
  'images',
  'api_keys',
];

/** @throws OperatorError when the server cannot work with the database */
export async function assertUsableDatabase(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<DatabaseFacts>(
    `with ours as (
       select exists (
         select from pg_attribute where attrelid = to_regclass('migrations') and attname = 'checksum' and not attisdropped
       ) as installed
     )
     select current_setting('server_version_num')::integer as version, current_database() as name,
       current_setting('server_encoding') as encoding, current_setting('session_replication_role') as "replicationRole",
       current_schema() as schema, current_setting('search_path') as "searchPath",
       lower('I') = 'i' as "lowersI", ours.installed as "isInstalled",
       case when not ours.installed then (
         select relname from pg_class where relnamespace = current_schema()::regnamespace and relname = any ($1) limit 1
       ) end as "foreignTable",
       array(
         select extname::text from pg_extension
         where extname in ('pg_trgm', 'btree_gin') and extnamespace <> all (current_schemas(true)::regnamespace[])
         order by extname
       ) as "hiddenExtensions"
     from ours`,
    [commonTables],
  );
  const problem = rows[0] === undefined ? undefined : databaseProblem(rows[0]);
  if (problem !== undefined) throw new OperatorError(problem);
}

/** Why the server cannot work with a database, and the remedy; undefined when it can. */
export function databaseProblem(facts: DatabaseFacts): string | undefined {
  const { version, name, replicationRole, schema, searchPath, hiddenExtensions } = facts;
  if (version < minVersion) {
    return `The database runs PostgreSQL ${Math.floor(version / 10_000)}. Version 15 or newer is needed.`;
  }
  if (replicationRole !== 'origin') {
    return `session_replication_role is ${replicationRole} for the database ${name} or its account: foreign keys and triggers would not work, so sessions and counts would be wrong. Reset it: alter database ${name} reset session_replication_role`;
  }
  if (schema === null) {
    return `No schema of the search path (${searchPath}) exists, or the account may not use it. Correct search_path of the database ${name} or of the account.`;
  }
  if (hiddenExtensions.length > 0) {
    return `The search path (${searchPath}) lacks the schema of ${hiddenExtensions.join(' and ')}. Add it to search_path of the database ${name}, or move the extension: alter extension ${hiddenExtensions[0]} set schema ${schema}`;
  }
  return facts.isInstalled ? undefined : newDatabaseProblem(facts);
}

/** Only before the first migration: an installation that has worked so far goes on. */
function newDatabaseProblem({ name, encoding, schema, lowersI, foreignTable }: DatabaseFacts): string | undefined {
  if (encoding !== 'UTF8') {
    return `The database ${name} has the encoding ${encoding}, which cannot store every name. Create one with UTF8: create database tessera template template0 encoding 'UTF8'`;
  }
  if (foreignTable !== null) {
    return `The schema ${schema} of the database ${name} has a table ${foreignTable} of another application. Give Tessera a database of its own.`;
  }
  if (!lowersI) {
    return `The database ${name} has a locale in which the capital of "i" is not "I", so searches would miss names. Create it with another one: create database tessera template template0 encoding 'UTF8' locale 'C.UTF-8'`;
  }
  return undefined;
}
