import type { Queryable, Transaction } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { type Statement, sql } from '../database/sql.ts';
import { processMillis } from './process-clock.ts';
import type { FailedSignInLimit, failedSignInCounters } from './uses.ts';

/** Tells the processes to read the counters of failed sign-ins again. */
export const failedSignInsTopic = 'failed sign-ins';

type Counters = ReturnType<typeof failedSignInCounters>;

/** An exhausted counter: sign-ins to the account are refused. */
export interface SignInBlock {
  readonly limit: FailedSignInLimit;
  /** The address block; null for every block from which the account has no recent sign-in. */
  readonly from: string | null;
  readonly untilMillis: number;
}

const blocksMax = 100;

/** The exhausted counters, the longest first. */
export async function selectSignInBlocks(db: Queryable, counters: Counters): Promise<SignInBlock[]> {
  const { points, perBlock, everywhere } = counters;
  const rows = await db.query<{ key: string; begin: string | null; expire: number }>(sql`
    select key, begin, expire from (
      select l.key, l.expire, b.begin from ${beginnings(perBlock)} join rate_limits l on ${hasBeginning}
      where l.points >= ${points}
      union all
      select l.key, l.expire, null as begin
      from unnest(${everywhere.map(one => one.key)}::text[], ${everywhere.map(one => one.points)}::integer[])
        as e (key, points)
      join rate_limits l on l.key = e.key and l.points >= e.points
    ) exhausted
    where expire > ${processMillis()}
    order by expire desc, key limit ${blocksMax}
  `);
  return rows.map(({ key, begin, expire }) => ({
    limit: everywhere.find(one => one.key === key)?.limit ?? 'failedSignInsPerAccount',
    from: begin === null ? null : key.slice(begin.length),
    untilMillis: expire,
  }));
}

/**
 * Removes the counters. Every process drops its memory of exhausted ones when it is notified of the commit: within a second.
 *
 * @returns whether there was one
 */
export async function deleteFailedSignIns(tx: Transaction, { perBlock, everywhere }: Counters): Promise<boolean> {
  const ofBlocks = await tx.query(sql`
    delete from rate_limits l using ${beginnings(perBlock)} where ${hasBeginning} returning l.key
  `);
  const ofAll = await tx.query(sql`
    delete from rate_limits where key = any(${everywhere.map(({ key }) => key)}::text[]) returning key
  `);
  await notify(tx, { topic: failedSignInsTopic, key: '' });
  return ofBlocks.length + ofAll.length > 0;
}

/** Each ends with a colon, and the character after the colon bounds the keys that begin with it. */
function beginnings(perBlock: readonly string[]): Statement {
  const ends = perBlock.map(begin => `${begin.slice(0, -1)};`);
  return sql`unnest(${[...perBlock]}::text[], ${ends}::text[]) as b (begin, behind)`;
}

/** The first condition is that of the index rate_limits_of_failed_sign_ins, whose order these operators have. */
const hasBeginning = sql`l.key like 'failedSignInsPerAccount:%' and l.key ~>=~ b.begin and l.key ~<~ b.behind`;
