import type { Queryable, Transaction } from '../../../../platform/database/database.ts';
import { type Statement, sql } from '../../../../platform/database/sql.ts';
import type { UserId } from './store.ts';

/** Why and since when a user cannot sign in. */
export interface Suspension {
  readonly suspendedAtMillis: number;
  readonly reason: string | null;
}

/** @returns undefined when there is no such user, null when the user is not suspended */
export async function selectSuspension(
  db: Queryable,
  { projectId, userId }: UserId,
): Promise<Suspension | null | undefined> {
  const [row] = await db.query<{ suspendedAtMillis: number | null; reason: string | null }>(sql`
    select suspended_at_millis as "suspendedAtMillis", suspension_reason as "reason"
    from users where project_id = ${projectId} and id = ${userId}
  `);
  if (row === undefined) return undefined;
  const { suspendedAtMillis, reason } = row;
  return suspendedAtMillis === null ? null : { suspendedAtMillis, reason };
}

/** @param suspension null ends it */
export async function updateSuspension(
  tx: Transaction,
  { projectId, userId }: UserId,
  suspension: Suspension | null,
): Promise<void> {
  await tx.query(sql`
    update users set suspended_at_millis = ${suspension?.suspendedAtMillis ?? null},
      suspension_reason = ${suspension?.reason ?? null}
    where project_id = ${projectId} and id = ${userId}
  `);
}

/** A condition on the owner of a row `k` of another table, which may have no user. */
export const ownerIsSuspended: Statement = sql`exists (
  select from users s where s.project_id = k.project_id and s.id = k.user_id and s.suspended_at_millis is not null
)`;
