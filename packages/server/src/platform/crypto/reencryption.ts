import { type Database, onlyRow, type Queryable, transaction } from '../database/database.ts';
import { type Statement, sql } from '../database/sql.ts';
import type { Secrets } from './secrets.ts';

/** A column whose values are encrypted under the installation's secret. */
export interface EncryptedColumn {
  /** `table.column`, for progress output. */
  readonly name: string;
  readonly table: Statement;
  readonly column: Statement;
  /** The encryption purpose of the values; an expression where it differs between rows. */
  readonly purpose: Statement;
}

/** The counts of values that were not encrypted under the installation's secret. */
export interface Reencrypted {
  /** Values that are now encrypted under it. */
  readonly reencrypted: number;
  /** Values that no accepted secret decrypts; they are unchanged. */
  readonly unreadable: number;
}

/** Takes at most a tenth of a second. No lock is held between two chunks. */
const pagesAtOnce = 16;

/**
 * Re-encrypts each value of a column that is encrypted under the other accepted secret. Reads the table in physical
 * order, a few pages at a time, and updates a row only if its value has not changed since: servers may keep running.
 * Values that a server writes behind the current position are found by the next call, so call it until the count is
 * zero. Then ask `hasOtherKeyValues`: an update may have moved a row from ahead of the position to behind it.
 */
export async function reencryptColumn(db: Database, column: EncryptedColumn, secrets: Secrets): Promise<Reencrypted> {
  const pages = await countPages(db, column);
  let [reencrypted, unreadable] = [0, 0];
  for (let fromPage = 0; fromPage < pages; fromPage += pagesAtOnce) {
    const rows = await selectOtherKeyValues(db, column, {
      header: secrets.currentHeader,
      fromPage,
      toPage: fromPage + pagesAtOnce,
    });
    const fresh = rows.flatMap(row => {
      const encrypted = reencryptValue(row, secrets);
      return encrypted === undefined ? [] : [{ ...row, fresh: encrypted }];
    });
    unreadable += rows.length - fresh.length;
    if (fresh.length > 0) reencrypted += await replaceValues(db, column, fresh);
  }
  return { reencrypted, unreadable };
}

/**
 * Whether a column has a value that is encrypted under the other accepted secret. All chunks are read in one snapshot, which
 * has each row once, however updates move it.
 */
export function hasOtherKeyValues(db: Database, column: EncryptedColumn, secrets: Secrets): Promise<boolean> {
  return transaction(db.longRunning, async tx => {
    await tx.query(sql`set transaction isolation level repeatable read`);
    const pages = await countPages(tx, column);
    for (let fromPage = 0; fromPage < pages; fromPage += pagesAtOnce) {
      const rows = await selectOtherKeyValues(tx, column, {
        header: secrets.currentHeader,
        fromPage,
        toPage: fromPage + pagesAtOnce,
      });
      if (rows.some(row => reencryptValue(row, secrets) !== undefined)) return true;
    }
    return false;
  });
}

/** Undefined for a value that cannot be decrypted. */
export function reencryptValue(
  { encrypted, purpose }: { readonly encrypted: Buffer; readonly purpose: string },
  secrets: Secrets,
): Buffer | undefined {
  let plain: Buffer;
  try {
    plain = secrets.decrypt(purpose, encrypted);
  } catch {
    // The value is encrypted under a third secret, or damaged: the two cases are indistinguishable.
    return undefined;
  }
  return secrets.encrypt(purpose, plain);
}

interface EncryptedRow {
  /** The `ctid` of the row. */
  readonly place: string;
  readonly encrypted: Buffer;
  readonly purpose: string;
}

async function countPages(db: Queryable, { name }: EncryptedColumn): Promise<number> {
  const [table] = name.split('.');
  const rows = await db.query<{ pages: number }>(sql`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::integer as pages
  `);
  return onlyRow(rows).pages;
}

function selectOtherKeyValues(
  db: Queryable,
  { table, column, purpose }: EncryptedColumn,
  { header, fromPage, toPage }: { header: Buffer; fromPage: number; toPage: number },
): Promise<EncryptedRow[]> {
  return db.query<EncryptedRow>(sql`
    select ctid::text as place, ${column} as encrypted, ${purpose} as purpose from ${table}
    where ctid >= ${`(${fromPage},0)`}::tid and ctid < ${`(${toPage},0)`}::tid
      -- what was erased is empty
      and octet_length(${column}) > 0 and substring(${column} from 1 for ${header.length}) <> ${header}
  `);
}

async function replaceValues(
  db: Queryable,
  { table, column }: EncryptedColumn,
  rows: readonly (EncryptedRow & { fresh: Buffer })[],
): Promise<number> {
  const places = rows.map(({ place }) => place);
  const replaced = await db.query(sql`
    update ${table} changed set ${column} = fresh.encrypted
    from unnest(
      ${places}::tid[], ${rows.map(({ encrypted }) => encrypted)}::bytea[], ${rows.map(({ fresh }) => fresh)}::bytea[]
    ) fresh (place, was, encrypted)
    where changed.ctid = any(${places}::tid[]) and changed.ctid = fresh.place and changed.${column} = fresh.was
    returning 1
  `);
  return replaced.length;
}
