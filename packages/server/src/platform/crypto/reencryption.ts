import { type Database, onlyRow, type Queryable } from '../database/database.ts';
import { type Statement, sql } from '../database/sql.ts';
import type { Secrets } from './secrets.ts';

/** A column that holds values which are encrypted under the installation's secret. */
export interface EncryptedColumn {
  /** For whoever watches: `table.column`. */
  readonly name: string;
  readonly table: Statement;
  readonly column: Statement;
  /** What the values are encrypted for; an expression, where it differs from row to row. */
  readonly purpose: Statement;
}

/** What became of values that were not encrypted under the installation's secret. */
export interface Reencrypted {
  /** Encrypted under it now. */
  readonly reencrypted: number;
  /** Encrypted under none of the secrets that are accepted; they stay as they are. */
  readonly unreadable: number;
}

/** A tenth of a second's work or less. Nothing is held between two of them. */
const pagesAtOnce = 16;

/**
 * Encrypts every value of a column under the installation's secret that is encrypted under the other one that is
 * accepted. Goes through the table as it lies on the disk, a few pages at a time, and writes where the value is still
 * the one that was read: servers may go on. What they write behind its back is found by the next call, so it is called
 * until there is nothing left.
 */
export async function reencryptColumn(db: Database, column: EncryptedColumn, secrets: Secrets): Promise<Reencrypted> {
  const pages = await pageCount(db, column);
  let [reencrypted, unreadable] = [0, 0];
  for (let fromPage = 0; fromPage < pages; fromPage += pagesAtOnce) {
    const rows = await selectOthers(db, column, { seal: secrets.seal, fromPage, toPage: fromPage + pagesAtOnce });
    const fresh = rows.flatMap(row => {
      const sealed = reencryptedValue(row, secrets);
      return sealed === undefined ? [] : [{ ...row, fresh: sealed }];
    });
    unreadable += rows.length - fresh.length;
    if (fresh.length > 0) reencrypted += await replaceValues(db, column, fresh);
  }
  return { reencrypted, unreadable };
}

/** Undefined for a value that nobody can read. */
export function reencryptedValue(
  { sealed, purpose }: { readonly sealed: Buffer; readonly purpose: string },
  secrets: Secrets,
): Buffer | undefined {
  let plain: Buffer;
  try {
    plain = secrets.decrypt(purpose, sealed);
  } catch {
    // Under a third secret, or damaged: which of them it is cannot be told.
    return undefined;
  }
  return secrets.encrypt(purpose, plain);
}

interface SealedRow {
  /** Where the row lies. */
  readonly place: string;
  readonly sealed: Buffer;
  readonly purpose: string;
}

async function pageCount(db: Queryable, { name }: EncryptedColumn): Promise<number> {
  const [table] = name.split('.');
  const rows = await db.query<{ pages: number }>(sql`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::integer as pages
  `);
  return onlyRow(rows).pages;
}

function selectOthers(
  db: Queryable,
  { table, column, purpose }: EncryptedColumn,
  { seal, fromPage, toPage }: { seal: Buffer; fromPage: number; toPage: number },
): Promise<SealedRow[]> {
  return db.query<SealedRow>(sql`
    select ctid::text as place, ${column} as sealed, ${purpose} as purpose from ${table}
    where ctid >= ${`(${fromPage},0)`}::tid and ctid < ${`(${toPage},0)`}::tid
      -- what was erased is empty
      and octet_length(${column}) > 0 and substring(${column} from 1 for ${seal.length}) <> ${seal}
  `);
}

async function replaceValues(
  db: Queryable,
  { table, column }: EncryptedColumn,
  rows: readonly (SealedRow & { fresh: Buffer })[],
): Promise<number> {
  const places = rows.map(({ place }) => place);
  const replaced = await db.query(sql`
    update ${table} changed set ${column} = fresh.sealed
    from unnest(
      ${places}::tid[], ${rows.map(({ sealed }) => sealed)}::bytea[], ${rows.map(({ fresh }) => fresh)}::bytea[]
    ) fresh (place, was, sealed)
    where changed.ctid = any(${places}::tid[]) and changed.ctid = fresh.place and changed.${column} = fresh.was
    returning 1
  `);
  return replaced.length;
}
