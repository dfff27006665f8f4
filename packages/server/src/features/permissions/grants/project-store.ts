import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { GrantsAt } from '../store.ts';

export interface ProjectGrant {
  readonly userId: string;
  readonly permissionId: string;
}

/** Direct grants, of all users or of one. */
export async function selectProjectGrants(
  db: Queryable,
  projectId: string,
  { userId, permissionId }: { userId?: string | undefined; permissionId?: string | undefined },
): Promise<GrantsAt<ProjectGrant>> {
  const rows = await db.query<ProjectGrant & { generation: number }>(sql`
    select g.user_id as "userId", g.permission_id as "permissionId", p.permission_generation as generation
    from project_permissions g join projects p on p.id = ${projectId}
    where g.project_id = ${projectId}
      ${userId === undefined ? sql`` : sql`and g.user_id = ${userId}`}
      ${permissionId === undefined ? sql`` : sql`and g.permission_id = ${permissionId}`}
    order by g.user_id
  `);
  return { generation: rows[0]?.generation ?? 0, rows };
}

/**
 * Ids without a definition in the scope are skipped, since a default permission may have been deleted
 * (docs/contract/teams.md#team-switches).
 */
export async function grantProjectPermissions(
  tx: Transaction,
  projectId: string,
  { userId, permissionIds }: { userId: string; permissionIds: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    with defined as materialized (
      select id from permission_definitions
      where project_id = ${projectId} and scope = 'project' and id = any(${[...permissionIds]}) for key share
    )
    insert into project_permissions (project_id, user_id, permission_id)
    select ${projectId}, ${userId}, id from defined
    on conflict do nothing
  `);
}

/** @returns false when there was no such direct grant */
export async function revokeProjectPermission(
  tx: Transaction,
  projectId: string,
  { userId, permissionId }: { userId: string; permissionId: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from project_permissions
    where project_id = ${projectId} and user_id = ${userId} and permission_id = ${permissionId}
    returning permission_id
  `);
  return rows.length > 0;
}
