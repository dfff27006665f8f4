import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The choices of a user by category. Categories without a choice are absent. */
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

export interface UnsubscribeLink {
  readonly projectId: string;
  readonly projectName: string;
  readonly userId: string;
  readonly categoryId: string;
  readonly isUsed: boolean;
  readonly expiresAtMillis: number;
  /** The user's choice for the category; null without a choice. */
  readonly isWanted: boolean | null;
}

/** Finds an unsubscribe link by its code alone. Undefined when the code, its user or its project does not exist. */
export async function selectLink(db: Queryable, codeHash: Buffer): Promise<UnsubscribeLink | undefined> {
  const [row] = await db.query<UnsubscribeLink>(sql`
    select c.project_id as "projectId", p.display_name as "projectName", u.id as "userId",
      c.data ->> 'categoryId' as "categoryId", c.used_at_millis is not null as "isUsed",
      c.expires_at_millis as "expiresAtMillis", n.is_enabled as "isWanted"
    from one_time_codes c join projects p on p.id = c.project_id and p.deleted_at_millis is null
    join users u on u.project_id = c.project_id and u.id = c.user_id
    left join notification_preferences n
      on n.project_id = c.project_id and n.user_id = c.user_id and n.category_id::text = c.data ->> 'categoryId'
    where c.code_hash = ${codeHash} and c.kind = 'unsubscribe'
  `);
  return row;
}
