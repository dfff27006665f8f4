import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { applyUserChanges } from '../../accounts/users/index.ts';
import type { Membership } from '../rules.ts';

export async function userExists(db: Queryable, projectId: string, userId: string): Promise<boolean> {
  const rows = await db.query(sql`select id from users where project_id = ${projectId} and id = ${userId}`);
  return rows.length > 0;
}

/** Of several concurrent calls, one returns true. */
export async function insertMembership(
  tx: Transaction,
  projectId: string,
  membership: Membership & { readonly isSelected: boolean; readonly createdAtMillis: number },
): Promise<boolean> {
  const { teamId, userId, isSelected, createdAtMillis } = membership;
  const rows = await tx.query(sql`
    insert into team_memberships (project_id, team_id, user_id, created_at_millis)
    values (${projectId}, ${teamId}, ${userId}, ${createdAtMillis})
    on conflict (project_id, team_id, user_id) do nothing
    returning user_id
  `);
  if (rows.length > 0 && isSelected) {
    await applyUserChanges(tx, { projectId, userId, nowMillis: createdAtMillis }, [{ kind: 'selectedTeam', teamId }]);
  }
  return rows.length > 0;
}

/** Permissions, profile and selection of the member are deleted with the row. @returns false when there was none */
export async function deleteMembership(
  tx: Transaction,
  projectId: string,
  { teamId, userId }: Membership,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from team_memberships
    where project_id = ${projectId} and team_id = ${teamId} and user_id = ${userId}
    returning user_id
  `);
  return rows.length > 0;
}
