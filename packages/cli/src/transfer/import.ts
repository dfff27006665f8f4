import type { Readable } from 'node:stream';
import { notify, type Secrets, type Transaction } from '@tessera/server';
import type pg from 'pg';
import { Failure } from '../failure.ts';
import { quoteName } from './columns.ts';
import type { Head } from './format.ts';
import { moveImageUrls } from './image-urls.ts';
import { readExport } from './read.ts';
import { assertKeysOfOneProject, storeBatch } from './store.ts';
import { exportedTables } from './tables.ts';
import type { Vault } from './vault.ts';

export interface ImportOptions {
  readonly projectId: string;
  /** Address of the servers of this database, for the URLs of stored images. Undefined: unknown. */
  readonly publicUrl: string | undefined;
  /** Decrypts the secrets of the file. Undefined: they are left out. */
  readonly vaultFor: (head: Head) => Promise<Vault | undefined>;
  readonly secrets: Secrets;
  readonly skipsApiKeys: boolean;
  /** Runs at the end, in the same transaction. */
  readonly finish: (tx: Transaction) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

export interface Imported {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The consequences of what was left out, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Reads a project from JSON lines into a new or empty project: everything or nothing. */
export async function importProject(client: pg.Client, source: Readable, options: ImportOptions): Promise<Imported> {
  await client.query('begin');
  try {
    await prepareProject(client, options.projectId);
    const imported = await storeAll(client, source, options);
    await assertKeysOfOneProject(client, options.projectId);
    const leftOut = [...imported.leftOut, ...(await moveImageUrls(client, options))];
    const tx = transactionOn(client);
    await options.finish(tx);
    // Servers may have cached that the project does not exist.
    await notify(tx, { topic: 'project', key: options.projectId });
    await client.query('commit');
    return { ...imported, leftOut };
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** A new project already has rows in these tables, so they do not show that it is in use. */
const mayBeThere = new Set(['permission_definitions', 'api_key_sets', 'events', 'audit_events']);

/** Locks the project against other imports, and an existing one against sign-ups, and checks that it is empty. */
async function prepareProject(client: pg.Client, projectId: string): Promise<void> {
  await lockImport(client, projectId);
  const { rows } = await client.query('select deleted_at_millis from projects where id = $1 for update', [projectId]);
  const [existing] = rows;
  if (existing === undefined) return;
  // The job that deletes its rows would delete the imported ones too.
  if (existing.deleted_at_millis !== null) {
    throw new Failure(
      `Project ${projectId} is being deleted. Choose another id with --project-id, or wait until the server has deleted it.`,
    );
  }
  for (const { name } of exportedTables.filter(table => !mayBeThere.has(table.name))) {
    const found = await client.query(`select 1 from ${quoteName(name)} where project_id = $1 limit 1`, [projectId]);
    if (found.rows.length > 0) throw projectInUse(projectId, name);
  }
  if (projectId === 'internal') throw projectInUse(projectId, 'projects');
  await client.query('delete from permission_definitions where project_id = $1', [projectId]);
}

/** A new project has no row that a second import would wait for: both would write into it. */
async function lockImport(client: pg.Client, projectId: string): Promise<void> {
  const { rows } = await client.query<{ isFree: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('imported project'), hashtext($1)) as "isFree"`,
    [projectId],
  );
  if (rows[0]?.isFree === true) return;
  throw new Failure(`Another import into project ${projectId} is running. Nothing was imported.`);
}

function projectInUse(projectId: string, table: string): Failure {
  return new Failure(
    `Project ${projectId} already exists in this database and is in use (${table}). Import never overwrites: choose another id with --project-id.`,
  );
}

async function storeAll(client: pg.Client, source: Readable, options: ImportOptions): Promise<Imported> {
  const rows: Record<string, number> = {};
  const withoutSecret = new Map<string, number>();
  const leftOut: string[] = [];
  let vault: Vault | undefined;
  for await (const part of readExport(source)) {
    if (options.signal.aborted) throw new Failure('Stopped. Nothing was imported.');
    if ('format' in part) {
      vault = await options.vaultFor(part);
      continue;
    }
    const { table } = part.table;
    const batch = await storeBatch(client, part, { ...options, vault });
    leftOut.push(...batch.leftOut);
    withoutSecret.set(table, (withoutSecret.get(table) ?? 0) + batch.withoutSecret);
    if (table !== 'projects') rows[table] = (rows[table] ?? 0) + batch.stored;
    options.onProgress(part.rows.length);
  }
  const consequences = exportedTables.flatMap(({ name, encrypted }) => {
    const count = withoutSecret.get(name) ?? 0;
    return encrypted === undefined || count === 0 ? [] : [encrypted.consequence(count)];
  });
  return { rows, leftOut: [...leftOut, ...consequences] };
}

/** The transaction type that server functions expect. It never retries. */
function transactionOn(client: pg.Client): Transaction {
  return {
    query: async <Row extends object>(statement: Parameters<Transaction['query']>[0]) =>
      (await client.query<Row & pg.QueryResultRow>(statement)).rows,
    afterCommit: () => {
      throw new Error('an import has no cached values to clear');
    },
  };
}
