import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UserId } from '../accounts/users/index.ts';
import { ownerIsSuspended } from '../accounts/users/row/index.ts';

/** The scheduled deletion of an account. */
export interface ScheduledDeletion {
  readonly requestedAtMillis: number;
  readonly deletesAtMillis: number;
}

export async function selectScheduledDeletion(
  db: Queryable,
  { projectId, userId }: UserId,
): Promise<ScheduledDeletion | undefined> {
  const [row] = await db.query<ScheduledDeletion>(sql`
    select requested_at_millis as "requestedAtMillis", deletes_at_millis as "deletesAtMillis"
    from account_deletions where project_id = ${projectId} and user_id = ${userId}
  `);
  return row;
}

export async function insertScheduledDeletion(
  tx: Transaction,
  { projectId, userId }: UserId,
  { requestedAtMillis, deletesAtMillis }: ScheduledDeletion,
): Promise<void> {
  await tx.query(sql`
    insert into account_deletions (project_id, user_id, requested_at_millis, deletes_at_millis)
    values (${projectId}, ${userId}, ${requestedAtMillis}, ${deletesAtMillis})
  `);
}

/** @returns whether a deletion was scheduled */
export async function deleteScheduledDeletion(tx: Transaction, { projectId, userId }: UserId): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from account_deletions where project_id = ${projectId} and user_id = ${userId} returning user_id
  `);
  return rows.length > 0;
}

/** The users of all projects whose time has come and who are not suspended, the longest overdue first. */
export function selectDueUsers(
  db: Queryable,
  { nowMillis, limit }: { nowMillis: number; limit: number },
): Promise<UserId[]> {
  return db.query<UserId>(sql`
    select k.project_id as "projectId", k.user_id as "userId"
    from account_deletions k join projects p on p.id = k.project_id and p.deleted_at_millis is null
    where k.deletes_at_millis <= ${nowMillis} and not ${ownerIsSuspended}
    order by k.deletes_at_millis limit ${limit}
  `);
}
