import type { PagePosition } from '../../../core/page-cursor.ts';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A member of a team for the management of members. */
export interface MemberRow {
  readonly userId: string;
  readonly displayName: string | null;
  readonly profileImageUrl: string | null;
  readonly primaryEmail: string | null;
  readonly joinedAtMillis: number;
}

/** A team, for people. */
export interface TeamName {
  readonly id: string;
  readonly displayName: string;
}

/** Members in the order of joining, beginning at `at`. */
export function selectMembers(
  db: Queryable,
  projectId: string,
  { teamId, at, limit }: { teamId: string; at: PagePosition | undefined; limit: number },
): Promise<MemberRow[]> {
  return db.query<MemberRow>(sql`
    select m.user_id as "userId", coalesce(m.display_name, u.display_name) as "displayName",
      coalesce(m.profile_image_url, u.profile_image_url) as "profileImageUrl", u.primary_email as "primaryEmail",
      m.created_at_millis as "joinedAtMillis"
    from team_memberships m
    join users u on u.project_id = m.project_id and u.id = m.user_id
    where m.project_id = ${projectId} and m.team_id = ${teamId}
      ${at === undefined ? sql`` : sql`and (m.created_at_millis, m.user_id) >= (${at.atMillis}, ${at.id}::uuid)`}
    order by m.created_at_millis, m.user_id limit ${limit}
  `);
}

/** Whether the deletion of a member `o` is not scheduled. */
const staysMember = sql`not exists (
  select from account_deletions d where d.project_id = o.project_id and d.user_id = o.user_id
)`;

/**
 * The teams, or the one team, in which a user is the only member with one of the permissions who stays, and has other
 * members. A user who leaves all teams leaves no one behind in one whose other members are being deleted too. Oldest first.
 */
export function selectTeamsHeldAlone(
  db: Queryable,
  projectId: string,
  {
    userId,
    teamId,
    permissionIds,
    limit,
  }: { userId: string; teamId?: string; permissionIds: readonly string[]; limit: number },
): Promise<TeamName[]> {
  return db.query<TeamName>(sql`
    select t.id, t.display_name as "displayName"
    from team_memberships m join teams t on t.project_id = m.project_id and t.id = m.team_id
    where m.project_id = ${projectId} and m.user_id = ${userId}
      ${teamId === undefined ? sql`` : sql`and m.team_id = ${teamId}`}
      and exists (
        select from team_permissions g
        where g.project_id = ${projectId} and g.team_id = m.team_id and g.user_id = m.user_id
          and g.permission_id = any(${[...permissionIds]})
      )
      and exists (
        select from team_memberships o
        where o.project_id = ${projectId} and o.team_id = m.team_id and o.user_id <> m.user_id
          ${teamId === undefined ? sql`and ${staysMember}` : sql``}
      )
      and not exists (
        select from team_permissions o
        where o.project_id = ${projectId} and o.team_id = m.team_id and o.user_id <> m.user_id
          and o.permission_id = any(${[...permissionIds]}) and ${staysMember}
      )
    order by t.created_at_millis, t.id limit ${limit}
  `);
}

/**
 * Locks a team for a change of its roles until the transaction ends. Changes of roles wait for each other, so two
 * administrators cannot leave at the same time; other changes of the team go on.
 */
export async function lockTeamRoles(tx: Transaction, projectId: string, teamId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from teams where project_id = ${projectId} and id = ${teamId} for no key update
  `);
  return rows.length > 0;
}
