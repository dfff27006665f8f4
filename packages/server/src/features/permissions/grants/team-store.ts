import { systemPermissionIds } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { GrantsAt } from '../store.ts';

export interface Member {
  readonly teamId: string;
  readonly userId: string;
}

export interface MemberOf extends Member {
  readonly projectId: string;
}

export interface TeamGrant extends Member {
  readonly permissionId: string;
}

/** Direct grants, filtered by team, user and permission. */
export async function selectTeamGrants(
  db: Queryable,
  projectId: string,
  {
    teamId,
    userId,
    permissionId,
  }: { teamId?: string | undefined; userId?: string | undefined; permissionId?: string | undefined },
): Promise<GrantsAt<TeamGrant>> {
  const rows = await db.query<TeamGrant & { generation: number }>(sql`
    select g.team_id as "teamId", g.user_id as "userId", g.permission_id as "permissionId",
      p.permission_generation as generation
    from team_permissions g join projects p on p.id = ${projectId}
    where g.project_id = ${projectId}
      ${teamId === undefined ? sql`` : sql`and g.team_id = ${teamId}`}
      ${userId === undefined ? sql`` : sql`and g.user_id = ${userId}`}
      ${permissionId === undefined ? sql`` : sql`and g.permission_id = ${permissionId}`}
    order by g.team_id, g.user_id
  `);
  return { generation: rows[0]?.generation ?? 0, rows };
}

/** The direct grants of several members, in the order of the members. */
export async function selectMemberGrants(db: Queryable, members: readonly MemberOf[]): Promise<GrantsAt<TeamGrant>[]> {
  // A subquery per member is one index lookup, whatever the planner estimates for the tables.
  const rows = await db.query<{ place: number; generation: number | null; permissionIds: string[] }>(sql`
    select asked.place,
      (select permission_generation from projects where id = asked.project_id) as generation,
      array(
        select permission_id from team_permissions
        where project_id = asked.project_id and team_id = asked.team_id and user_id = asked.user_id
      ) as "permissionIds"
    from unnest(
      (select ${members.map(one => one.projectId)}::text[]), (select ${members.map(one => one.teamId)}::uuid[]),
      (select ${members.map(one => one.userId)}::uuid[])
    ) with ordinality as asked (project_id, team_id, user_id, place)
  `);
  const grants = members.map((): GrantsAt<TeamGrant> => ({ generation: 0, rows: [] }));
  for (const { place, generation, permissionIds } of rows) {
    const member = members[place - 1];
    if (member === undefined || permissionIds.length === 0) continue;
    const { teamId, userId } = member;
    grants[place - 1] = {
      generation: generation ?? 0,
      rows: permissionIds.map(permissionId => ({ teamId, userId, permissionId })),
    };
  }
  return grants;
}

/** Returns whether the membership exists, and locks it against deletion until the transaction ends. */
export async function lockMember(tx: Transaction, projectId: string, { teamId, userId }: Member): Promise<boolean> {
  const rows = await tx.query(sql`
    select user_id from team_memberships
    where project_id = ${projectId} and team_id = ${teamId} and user_id = ${userId} for key share
  `);
  return rows.length > 0;
}

/**
 * Grants permissions to a member, in the given order. Ids without a definition in the scope are skipped, since a default
 * permission may have been deleted (docs/contract/teams.md#team-switches).
 *
 * @returns the permissions that the member did not have before
 */
export async function grantTeamPermissions(
  tx: Transaction,
  projectId: string,
  { teamId, userId, permissionIds }: Member & { readonly permissionIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    with defined as materialized (
      select id from permission_definitions
      where project_id = ${projectId} and scope = 'team' and id = any(${[...permissionIds]}) for key share
    )
    insert into team_permissions (project_id, team_id, user_id, permission_id)
    select ${projectId}, ${teamId}, ${userId}, wanted.id
    from unnest(${[...permissionIds]}::text[]) with ordinality wanted (id, place)
    where wanted.id = any(${[...systemPermissionIds]}) or wanted.id in (select id from defined)
    order by wanted.place
    on conflict do nothing
    returning permission_id as id
  `);
  return rows.map(row => row.id);
}

/**
 * Waits for actions of the member that have checked the permission (`holdMembership`), so that none of them ends after the
 * revocation.
 *
 * @returns false when there was no such direct grant
 */
export async function revokeTeamPermission(
  tx: Transaction,
  projectId: string,
  { teamId, userId, permissionId }: Member & { readonly permissionId: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    with member as materialized (
      select user_id from team_memberships
      where project_id = ${projectId} and team_id = ${teamId} and user_id = ${userId} for no key update
    )
    delete from team_permissions g using member
    where g.project_id = ${projectId} and g.team_id = ${teamId} and g.user_id = member.user_id
      and g.permission_id = ${permissionId}
    returning g.permission_id
  `);
  return rows.length > 0;
}
