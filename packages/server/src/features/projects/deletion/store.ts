import { onlyRow, type Queryable, type Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Hides the project from all queries. @returns false when it was already deleted */
export async function markDeleted(tx: Transaction, projectId: string, nowMillis: number): Promise<boolean> {
  const rows = await tx.query(sql`
    update projects set deleted_at_millis = ${nowMillis} where id = ${projectId} and deleted_at_millis is null
    returning id
  `);
  return rows.length > 0;
}

/** Deletes some rows of a project. @returns the number of deleted rows; 0 when none are left */
export async function deleteProjectRows(db: Queryable, projectId: string, atMost: number): Promise<number> {
  const rows = await db.query<{ deleted: number }>(sql`select delete_project_rows(${projectId}, ${atMost}) as deleted`);
  return onlyRow(rows).deleted;
}

/** Deletes the row of the project, and rows that were written during the deletion. */
export async function deleteMarkedProject(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(sql`delete from projects where id = ${projectId} and deleted_at_millis is not null`);
}
