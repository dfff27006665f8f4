import type { Secrets } from '@tessera/server';
import pg from 'pg';
import { Failure } from '../failure.ts';
import { columnList, columnsOf, quoteName } from './columns.ts';
import { joinConfig } from './project-secrets.ts';
import type { Batch } from './read.ts';
import { type EncryptedColumn, type ExportedTable, exportedTables, selectedTeams } from './tables.ts';
import type { Vault } from './vault.ts';

export interface StoreOptions {
  readonly projectId: string;
  readonly vault: Vault | undefined;
  readonly secrets: Secrets;
  readonly skipsApiKeys: boolean;
}

/** What became of the rows of a batch. */
export interface StoredBatch {
  /** Rows that were stored. */
  readonly stored: number;
  /** Secrets that the file does not have. */
  readonly withoutSecret: number;
  /** The consequences of other things that were left out, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Stores rows of a file. */
export async function storeBatch(client: pg.Client, batch: Batch, options: StoreOptions): Promise<StoredBatch> {
  const { table } = batch.table;
  if (table === 'api_keys' && options.skipsApiKeys) return { stored: 0, withoutSecret: 0, leftOut: [] };
  try {
    if (table === 'projects') return await storeProject(client, batch, options);
    if (table === selectedTeams) return await storeSelectedTeams(client, batch, options);
    return await storeRows(client, batch, options);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? refusedRow(error, batch) : error;
  }
}

/**
 * A report of a leaked key finds it by its secret alone, so a secret belongs to one project.
 *
 * @throws a Failure when stored API keys belong to another project too
 */
export async function assertKeysOfOneProject(client: pg.Client, projectId: string): Promise<void> {
  const { rowCount } = await client.query(
    `select from api_keys mine
     join api_keys other on other.secret_hash = mine.secret_hash and other.project_id <> mine.project_id
     where mine.project_id = $1 limit 1`,
    [projectId],
  );
  if (rowCount === 0) return;
  throw new Failure(
    'API keys in the file belong to another project of this database, and a key can belong to only one project. Delete that project first, or leave the keys out with --without-api-keys. Nothing was imported.',
  );
}

function refusedRow(error: pg.DatabaseError, { table, firstLine, rows }: Batch): Failure {
  const lines = rows.length === 1 ? `Line ${firstLine}` : `Among lines ${firstLine} to ${firstLine + rows.length - 1}`;
  return new Failure(
    `${lines} of the file (${table.table}): the database refused a row: ${error.message}. Nothing was imported.`,
    undefined,
    error,
  );
}

interface ProjectRow {
  readonly display_name: string;
  readonly description: string;
  readonly is_production_mode: boolean;
  readonly config: Readonly<Record<string, unknown>>;
  readonly created_at_millis: number;
}

async function storeProject(client: pg.Client, batch: Batch, options: StoreOptions): Promise<StoredBatch> {
  const [line] = batch.rows;
  if (line === undefined || !isProjectRow(line.row))
    throw new Failure(`Line ${batch.firstLine} of the file is damaged. Nothing was imported.`);
  const { display_name, description, is_production_mode, config, created_at_millis } = line.row;
  const found = Object.entries(line.secrets ?? {}).map(([place, encrypted]) => [
    place,
    decryptSecret(options, `projects.${place}`, encrypted)?.toString(),
  ]);
  const known = Object.fromEntries(found.filter(([, secret]) => secret !== undefined));
  const joined = joinConfig(config, known, options.secrets);
  // Servers that have cached the definitions of the existing project read the imported ones.
  await client.query(
    `insert into projects (id, display_name, description, is_production_mode, config, created_at_millis)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set display_name = excluded.display_name, description = excluded.description,
       is_production_mode = excluded.is_production_mode, config = excluded.config, created_at_millis = excluded.created_at_millis,
       permission_generation = projects.permission_generation + 1`,
    [
      options.projectId,
      display_name,
      description,
      is_production_mode,
      JSON.stringify(joined.config),
      created_at_millis,
    ],
  );
  const leftOut = joined.leftOut.map(what => `${what}: its secret is not in the file, so it is off`);
  return { stored: 1, withoutSecret: 0, leftOut };
}

function isProjectRow(row: unknown): row is ProjectRow {
  const { display_name, description, is_production_mode, config, created_at_millis }: Record<string, unknown> =
    Object(row);
  return (
    typeof display_name === 'string' &&
    typeof description === 'string' &&
    typeof is_production_mode === 'boolean' &&
    typeof config === 'object' &&
    config !== null &&
    typeof created_at_millis === 'number'
  );
}

async function storeSelectedTeams(
  client: pg.Client,
  { texts }: Batch,
  { projectId }: StoreOptions,
): Promise<StoredBatch> {
  await client.query(
    `update users u set selected_team_id = (line -> 'row' ->> 'selected_team_id')::uuid
     from json_array_elements($2::json) line
     where u.project_id = $1 and u.id = (line -> 'row' ->> 'id')::uuid`,
    [projectId, `[${texts.join(',')}]`],
  );
  return { stored: texts.length, withoutSecret: 0, leftOut: [] };
}

async function storeRows(client: pg.Client, batch: Batch, options: StoreOptions): Promise<StoredBatch> {
  const table = exportedTables.find(({ name }) => name === batch.table.table);
  const columns = table === undefined ? [] : await columnsOf(client, table.name);
  const unknown = batch.table.columns.find(column => !columns.includes(column));
  if (table === undefined || unknown !== undefined) {
    const what = table === undefined ? `table ${batch.table.table}` : `column ${unknown} of ${table.name}`;
    throw new Failure(
      `The file has a ${what}, which this version does not know. Use a newer version. Nothing was imported.`,
    );
  }
  const { kept, encrypted, withoutSecret } = encryptValues(batch, table, options);
  await insertRows(client, { table, columns: batch.table.columns, kept, encrypted, projectId: options.projectId });
  return { stored: kept.length, withoutSecret, leftOut: [] };
}

interface Encrypted {
  /** JSON texts of the rows to store. */
  readonly kept: readonly string[];
  /** The encrypted column of each row. */
  readonly encrypted: readonly (Buffer | null)[];
  readonly withoutSecret: number;
}

/** Encrypts the secrets of the file with the key of this installation. */
function encryptValues({ rows, texts }: Batch, { name, encrypted }: ExportedTable, options: StoreOptions): Encrypted {
  if (encrypted === undefined) return { kept: texts, encrypted: [], withoutSecret: 0 };
  const all = rows.map(({ row, secrets = {} }, index) => {
    const given = secrets[encrypted.name];
    const plain = given === undefined ? undefined : decryptSecret(options, `${name}.${encrypted.name}`, given);
    const isMissing = plain === undefined && (given !== undefined || encrypted.withoutSecret !== 'null');
    const value =
      plain === undefined ? substitute(encrypted, options.secrets) : encrypted.encrypt(plain, row, options.secrets);
    return { text: texts[index] ?? '', value, isMissing };
  });
  const stored = all.filter(({ isMissing }) => !isMissing || encrypted.withoutSecret !== 'skip row');
  return {
    kept: stored.map(({ text }) => text),
    encrypted: stored.map(({ value }) => value),
    withoutSecret: all.filter(({ isMissing }) => isMissing).length,
  };
}

function substitute({ withoutSecret }: EncryptedColumn, secrets: Secrets): Buffer | null {
  return typeof withoutSecret === 'string' ? null : withoutSecret(secrets);
}

function decryptSecret({ vault }: StoreOptions, purpose: string, encrypted: string): Buffer | undefined {
  try {
    return vault?.decrypt(purpose, encrypted);
  } catch (cause) {
    throw new Failure(`A secret in the file (${purpose}) is damaged. Nothing was imported.`, undefined, cause);
  }
}

interface Insertion {
  readonly table: ExportedTable;
  readonly columns: readonly string[];
  readonly kept: readonly string[];
  readonly encrypted: readonly (Buffer | null)[];
  readonly projectId: string;
}

/** PostgreSQL parses the lines, so metadata keeps its text. Missing columns get their default. */
async function insertRows(client: pg.Client, { table, columns, kept, encrypted, projectId }: Insertion): Promise<void> {
  const { name, fixed = {} } = table;
  const own = table.encrypted === undefined ? [] : [table.encrypted.name];
  const fixedNames = Object.keys(fixed);
  const targets = ['project_id', ...columns, ...own, ...fixedNames];
  const values = [
    '$1',
    ...columns.map(column => `r.${quoteName(column)}`),
    ...own.map(() => '($3::bytea[])[line.n]'),
    ...fixedNames.map(column => pg.escapeLiteral(fixed[column] ?? '')),
  ];
  await client.query(
    `insert into ${quoteName(name)} (${columnList(targets)})
     select ${values.join(', ')}
     from json_array_elements($2::json) with ordinality line (value, n)
     cross join lateral json_populate_record(null::${quoteName(name)}, line.value -> 'row') r
     order by line.n`,
    [projectId, `[${kept.join(',')}]`, ...(own.length > 0 ? [encrypted] : [])],
  );
}
