import type { Queryable } from '../../platform/db.ts';
import { sql } from '../../platform/sql.ts';

/** What a user has chosen, by category; categories without a choice have none. */
export async function selectChoices(db: Queryable, projectId: string, userId: string): Promise<Map<string, boolean>> {
  const rows = await db.query<{ categoryId: string; isEnabled: boolean }>(sql`
    select category_id as "categoryId", is_enabled as "isEnabled" from notification_preferences
    where project_id = ${projectId} and user_id = ${userId}
  `);
  return new Map(rows.map(row => [row.categoryId, row.isEnabled]));
}

/** @returns false when there is no such user */
export async function saveChoice(
  db: Queryable,
  {
    projectId,
    userId,
    categoryId,
    isEnabled,
  }: { projectId: string; userId: string; categoryId: string; isEnabled: boolean },
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into notification_preferences (project_id, user_id, category_id, is_enabled)
    select project_id, id, ${categoryId}, ${isEnabled} from users where project_id = ${projectId} and id = ${userId}
    for key share
    on conflict (project_id, user_id, category_id) do update set is_enabled = excluded.is_enabled
    returning user_id
  `);
  return rows.length > 0;
}

/** The project of an unsubscribe code, while there is one: its link names nothing else. */
export async function selectProjectOfLink(db: Queryable, codeHash: Buffer): Promise<string | undefined> {
  const [row] = await db.query<{ projectId: string }>(sql`
    select project_id as "projectId" from one_time_codes c where code_hash = ${codeHash} and kind = 'unsubscribe'
      and exists (select from projects p where p.id = c.project_id and p.deleted_at_millis is null)
  `);
  return row?.projectId;
}
