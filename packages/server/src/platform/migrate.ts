import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isQueueReady, prepareQueue } from './jobs.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

/** Any number that nothing else in the database locks. */
const lockKey = 7_355_608;
/** A migration that waits longer for a table would make requests wait behind it. */
const lockTimeoutMs = 5_000;
const fileName = /^(\d{4})-([a-z0-9-]+)\.sql$/;
/** First line of a migration that cannot run inside a transaction (concurrent index builds). */
const outsideTransaction = '-- outside a transaction';

/**
 * Brings the database to the newest schema. Safe to run twice and from several processes at once: one works, the
 * others wait and find nothing to do.
 * Control 100.
 *
 * @throws when an applied migration has changed since, or the database is newer than this program
 */
export async function migrate(
  connection: pg.ClientConfig,
  migrations?: readonly Migration[],
): Promise<{ applied: string[] }> {
  const wanted = migrations ?? (await readMigrations());
  const isWhole = migrations === undefined;
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const hasQueue = !isWhole || (await isQueueReady(client));
    if (hasQueue && (await pending(client, wanted)).length === 0) return { applied: [] };
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    const applied: string[] = [];
    for (const migration of await pending(client, wanted)) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    if (isWhole) await prepareQueue(client, connection);
    return { applied };
  } finally {
    // Ends the session and with it the lock, whatever happened.
    await client.end();
  }
}

export async function readMigrations(folder = migrationsFolder()): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async name => {
      const match = fileName.exec(name);
      if (match === null) throw new Error(`not the name of a migration: ${name}`);
      return { number: Number(match[1]), name, text: await readFile(join(folder, name), 'utf8') };
    }),
  );
}

/** Beside `src` and `dist`, so that both find it. */
function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the migrations are missing from this installation');
    folder = parent;
  }
  return join(folder, 'migrations');
}

async function pending(client: pg.Client, wanted: readonly Migration[]): Promise<Migration[]> {
  const done = await appliedMigrations(client);
  const newest = wanted.at(-1)?.number ?? 0;
  for (const [number, row] of done) {
    const migration = wanted.find(one => one.number === number);
    if (migration === undefined && number > newest) {
      throw new Error(`the database has migration ${row.name}, which this version does not know: use a newer version`);
    }
    if (migration !== undefined && checksum(migration) !== row.checksum) {
      throw new Error(`migration ${row.name} was changed after it was applied`);
    }
  }
  return wanted.filter(migration => !done.has(migration.number));
}

async function appliedMigrations(client: pg.Client): Promise<Map<number, { name: string; checksum: string }>> {
  const exists = await client.query(`select to_regclass('migrations') is not null as yes`);
  if (exists.rows[0]?.yes !== true) return new Map();
  const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from migrations',
  );
  return new Map(rows.map(row => [row.number, row]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(
    'create table if not exists migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())',
  );
  await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  const record = () =>
    client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      checksum(migration),
    ]);
  if (migration.text.startsWith(outsideTransaction)) {
    await client.query(migration.text);
    await record();
    return;
  }
  await client.query('begin');
  try {
    await client.query(migration.text);
    await record();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}

function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.text).digest('hex');
}
