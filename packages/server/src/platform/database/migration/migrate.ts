import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { findInstalledFile } from '../../installed-files.ts';
import { OperatorError } from '../../operator-error.ts';
import { isQueueReady, prepareQueue } from '../../queue/queue-schema.ts';
import { applySettings, unlimitedSettings } from '../connections/session-settings.ts';
import { assertUsableDatabase } from './database-check.ts';
import { compareVersions, type Release, thisRelease } from './releases.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
}

export interface MigrateOptions {
  /** Default: this one. */
  readonly release?: Release;
  /** Receives what a migration does that may take long. Default: ignored. */
  readonly report?: (details: object, message: string) => void;
}

type Report = NonNullable<MigrateOptions['report']>;

/** An arbitrary key that no other advisory lock of the database uses. */
const lockKey = 7_355_608;
const lockPollMs = 100;
const lockReportMs = 30_000;
/** A migration that waits longer for a table lock would block the requests that queue behind it. */
const lockTimeoutMs = 5_000;
/** The state after all migrations, with which an empty database begins. Its first line names the newest of them. */
const schemaFile = 'schema.sql';
const newestInSchema = /^-- The schema after migration (\d{4})-/;
const fileName = /^(\d{4})-([a-z0-9-]+)\.sql$/;
/** First line of a migration that cannot run inside a transaction (concurrent index builds). */
const outsideTransaction = '-- outside a transaction';
const concurrentIndex = /\bindex concurrently if not exists (\w+)/g;

/**
 * Brings the database to the newest schema. Safe to run twice and from several processes at once: one process migrates,
 * the others wait and have nothing to do.
 * Control 100.
 *
 * A database that the next release has migrated is not changed: this release runs on it.
 *
 * @throws when an applied migration has changed, or the database is newer than the next release or not usable
 */
export async function migrate(
  connection: pg.ClientConfig,
  migrations?: readonly Migration[],
  { release = thisRelease, report = () => undefined }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const wanted = migrations ?? (await readMigrations());
  const isWhole = migrations === undefined;
  const client = new pg.Client(connection);
  // A connection that breaks fails the running statement; without a listener the event ends the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await applySettings(client, unlimitedSettings);
    await assertUsableDatabase(client);
    const hasQueue = !isWhole || (await isQueueReady(client));
    const isCurrent =
      (await findPendingMigrations(client, wanted, release)).length === 0 && (await isRecorded(client, release));
    if (hasQueue && isCurrent) return { applied: [] };
    await acquireMigrationLock(client, report);
    const pending = await findPendingMigrations(client, wanted, release);
    const isNew = isWhole && !(await hasTable(client, 'migrations'));
    const needsQueue = isWhole && !(await isQueueReady(client));
    // The queue has a schema and a connection of its own. On an empty database it takes a fifth of a second.
    const ourTables = isNew ? createSchema(client, pending) : applyAll(client, pending, report);
    await completeAll([ourTables, ...(needsQueue ? [prepareQueue(connection)] : [])]);
    await recordRelease(client, release);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    // Ends the session and with it the lock, also after an error.
    await client.end();
  }
}

/**
 * Names of the migrations that are not applied yet, in order.
 *
 * @throws as `migrate` does
 */
export async function pendingMigrations(client: pg.Client): Promise<string[]> {
  const pending = await findPendingMigrations(client, await readMigrations(), thisRelease);
  return pending.map(({ name }) => name);
}

/** Waits for all, also when one fails: the connection of a failed one must not end the other. */
async function completeAll(works: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

/** Creates at once what the migrations would build up one by one in an empty database, which takes three times as long. */
async function createSchema(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const text = await readFile(join(findInstalledFile('migrations'), schemaFile), 'utf8');
  const newest = Number(newestInSchema.exec(text)?.[1]);
  await inTransaction(client, async () => {
    await client.query(text);
    await record(
      client,
      migrations.filter(({ number }) => number <= newest),
    );
  });
  await applyAll(
    client,
    migrations.filter(({ number }) => number > newest),
  );
}

async function applyAll(client: pg.Client, migrations: readonly Migration[], report?: Report): Promise<void> {
  for (const migration of migrations) {
    report?.({ name: migration.name }, 'applying a migration');
    await apply(client, migration);
  }
}

/**
 * Waits for the other processes by polling: a statement that waits for the lock would hold a snapshot, and a concurrent
 * index build waits for all snapshots, so the two would deadlock.
 */
async function acquireMigrationLock(client: pg.Client, report: Report): Promise<void> {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [lockKey]);
    if (rows[0]?.isOurs === true) return;
    if (performance.now() - reportedAtMs > lockReportMs) {
      reportedAtMs = performance.now();
      report(await findMigrating(client), 'waiting for the process that migrates the database');
    }
    await setTimeout(lockPollMs);
  }
}

/** The connection that holds the lock. It may be gone by now. */
async function findMigrating(client: pg.Client): Promise<{ pid?: number; address?: string | null }> {
  const { rows } = await client.query<{ pid: number; address: string | null }>(
    `select pid, host(client_addr) as address from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = $1
       and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  );
  return rows[0] ?? {};
}

export async function readMigrations(folder = findInstalledFile('migrations')): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql') && name !== schemaFile).sort();
  return Promise.all(
    names.map(async name => {
      const match = fileName.exec(name);
      if (match === null) throw new Error(`not the name of a migration: ${name}`);
      return { number: Number(match[1]), name, text: await readFile(join(folder, name), 'utf8') };
    }),
  );
}

async function findPendingMigrations(
  client: pg.Client,
  wanted: readonly Migration[],
  release: Release,
): Promise<Migration[]> {
  const done = await appliedMigrations(client);
  const newest = wanted.at(-1)?.number ?? 0;
  for (const [number, row] of done) {
    const migration = wanted.find(one => one.number === number);
    if (migration === undefined && number > newest) await assertSchemaSupported(client, release);
    if (migration !== undefined && checksum(migration) !== row.checksum) {
      throw new Error(`migration ${row.name} was changed after it was applied`);
    }
  }
  return wanted.filter(migration => !done.has(migration.number));
}

/** Called when the database has migrations that this release does not know. */
async function assertSchemaSupported(client: pg.Client, { version }: Release): Promise<void> {
  const schema = await recordedRelease(client);
  if (schema !== undefined && compareVersions(version, schema.minVersion) >= 0) return;
  const needed = schema === undefined ? '' : ` of Tessera ${schema.version}, which needs ${schema.minVersion} or newer`;
  throw new OperatorError(
    `The database has a newer schema${needed}. This is Tessera ${version}: use a newer version, or restore a backup from before the upgrade.`,
  );
}

async function isRecorded(client: pg.Client, { version }: Release): Promise<boolean> {
  if (!(await hasTable(client, 'schema_release'))) return true;
  const schema = await recordedRelease(client);
  return schema !== undefined && compareVersions(schema.version, version) >= 0;
}

/** After a rollback the older release keeps the record of the newer one. */
async function recordRelease(client: pg.Client, release: Release): Promise<void> {
  if (await isRecorded(client, release)) return;
  await client.query(
    `insert into schema_release (version, min_version) values ($1, $2)
     on conflict (is_only) do update set version = excluded.version, min_version = excluded.min_version`,
    [release.version, release.minVersion],
  );
}

async function recordedRelease(client: pg.Client): Promise<Release | undefined> {
  if (!(await hasTable(client, 'schema_release'))) return undefined;
  const { rows } = await client.query<Release>('select version, min_version as "minVersion" from schema_release');
  return rows[0];
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as yes', [name]);
  return rows[0]?.yes === true;
}

async function appliedMigrations(client: pg.Client): Promise<Map<number, { name: string; checksum: string }>> {
  if (!(await hasTable(client, 'migrations'))) return new Map();
  const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from migrations',
  );
  return new Map(rows.map(row => [row.number, row]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(
    'create table if not exists migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())',
  );
  try {
    await (migration.text.startsWith(outsideTransaction)
      ? runOutside(client, migration)
      : runInside(client, migration));
  } catch (error) {
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}

async function runInside(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  await inTransaction(client, async () => {
    await client.query(migration.text);
    await record(client, [migration]);
  });
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function runOutside(client: pg.Client, migration: Migration): Promise<void> {
  // A concurrent index build waits for all older transactions, such as a backup, but no request waits for it.
  await client.query('set lock_timeout = 0');
  await dropUnfinishedIndexes(client, migration);
  await client.query(migration.text);
  await record(client, [migration]);
}

async function record(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(
    'insert into migrations (number, name, checksum) select * from unnest($1::integer[], $2::text[], $3::text[])',
    [migrations.map(({ number }) => number), migrations.map(({ name }) => name), migrations.map(checksum)],
  );
}

/** What an interrupted build leaves behind has the name of the index, and is not used by any query. */
async function dropUnfinishedIndexes(client: pg.Client, { text }: Migration): Promise<void> {
  const names = Array.from(text.matchAll(concurrentIndex), ([, name]) => name);
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
     where not indisvalid and indexrelid in (select to_regclass(name) from unnest($1::text[]) name)`,
    [names],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
}

function checksum(migration: Migration): string {
  return createHash('sha256').update(migration.text).digest('hex');
}
