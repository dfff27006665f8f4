import { onlyRow, type Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/**
 * Counts in the transaction of a change: it must not wait for another connection, and a change that fails does not
 * count. The library is not involved, so the window has the clock of the change, `deps.clock`.
 *
 * @param counter.key names the limit, the project and the counted subject
 * @returns the number in this window, including this one
 */
export async function countInTransaction(
  tx: Transaction,
  { key, windowMs }: { readonly key: string; readonly windowMs: number },
  nowMillis: number,
): Promise<number> {
  const { points } = onlyRow(
    await tx.query<{ points: number }>(sql`
      insert into rate_limits (key, points, expire) values (${key}, 1, ${nowMillis + windowMs})
      on conflict (key) do update set
        points = case when rate_limits.expire <= ${nowMillis}::bigint then 1 else rate_limits.points + 1 end,
        expire = case when rate_limits.expire <= ${nowMillis}::bigint then excluded.expire else rate_limits.expire end
      returning points
    `),
  );
  return points;
}
