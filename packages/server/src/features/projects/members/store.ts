import type { InvitedRole, ProjectRole } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { type Statement, sql } from '../../../platform/database/sql.ts';

/** A person who manages a project, with the account in the project `internal`. */
export interface MemberRow {
  readonly userId: string;
  readonly displayName: string | null;
  readonly primaryEmail: string | null;
  readonly primaryEmailVerified: boolean;
  readonly profileImageUrl: string | null;
  readonly role: ProjectRole;
  readonly joinedAtMillis: number | null;
  readonly lastActiveAtMillis: number;
}

/** A person who may have a role in a project, a user of `internal`. */
interface Person {
  readonly projectId: string;
  readonly ownerId: string;
}

/** Whether a user of `internal` owns a project; null for a user whose metadata names no projects. */
function ownsProject(projectId: string): Statement {
  return sql`server_metadata::jsonb -> 'managedProjectIds' @> ${JSON.stringify([projectId])}::jsonb`;
}

/**
 * The role of a person in a project; undefined without a role, and for a suspended account. In a transaction the role
 * stays until the transaction ends.
 */
export async function holdRole(db: Queryable, { projectId, ownerId }: Person): Promise<ProjectRole | undefined> {
  const [account] = await db.query<{ isOwner: boolean }>(sql`
    select coalesce(${ownsProject(projectId)}, false) as "isOwner"
    from users where project_id = 'internal' and id = ${ownerId} and suspended_at_millis is null for share
  `);
  if (account === undefined) return undefined;
  if (account.isOwner) return 'owner';
  const [membership] = await db.query<{ role: InvitedRole }>(sql`
    select role from project_members where project_id = ${projectId} and user_id = ${ownerId} for share
  `);
  return membership?.role;
}

/** The role of a member who does not own the project. */
export async function selectMemberRole(
  db: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<InvitedRole | undefined> {
  const [row] = await db.query<{ role: InvitedRole }>(sql`
    select role from project_members where project_id = ${projectId} and user_id = ${userId}
  `);
  return row?.role;
}

/** The roles of several members, in their order. */
export async function selectMemberRoles(
  db: Queryable,
  asked: readonly { readonly projectId: string; readonly userId: string }[],
): Promise<(InvitedRole | undefined)[]> {
  if (asked.length === 0) return [];
  const rows = await db.query<{ place: number; role: InvitedRole }>(sql`
    select asked.place, m.role
    from unnest(
      ${asked.map(({ projectId }) => projectId)}::text[], ${asked.map(({ userId }) => userId)}::uuid[]
    ) with ordinality as asked (project_id, user_id, place)
    join project_members m on m.project_id = asked.project_id and m.user_id = asked.user_id
  `);
  const roles = new Map(rows.map(({ place, role }) => [place, role]));
  return asked.map((_, index) => roles.get(index + 1));
}

/** The projects in which a user is a member without owning them, in the order of joining. */
export function selectMemberships(db: Queryable, userId: string): Promise<{ projectId: string; role: InvitedRole }[]> {
  return db.query<{ projectId: string; role: InvitedRole }>(sql`
    select m.project_id as "projectId", m.role
    from project_members m join projects p on p.id = m.project_id and p.deleted_at_millis is null
    where m.account_project_id = 'internal' and m.user_id = ${userId}
    order by m.created_at_millis, m.project_id
  `);
}

/** Owners first, then the other members in the order of joining. */
export async function selectMembers(db: Queryable, projectId: string): Promise<MemberRow[]> {
  const members = await db.query<{ userId: string; role: InvitedRole; joinedAtMillis: number }>(sql`
    select user_id as "userId", role, created_at_millis as "joinedAtMillis"
    from project_members where project_id = ${projectId}
  `);
  const userIds = members.map(({ userId }) => userId);
  const roles = members.map(({ role }) => role);
  const joinedAt = members.map(({ joinedAtMillis }) => joinedAtMillis);
  // Members are rows of their project and accounts are rows of `internal`: no statement joins rows of two projects.
  return db.query<MemberRow>(sql`
    select u.id as "userId", u.display_name as "displayName", c.value as "primaryEmail",
      coalesce(c.is_verified, false) as "primaryEmailVerified", u.profile_image_url as "profileImageUrl", found.role, found.joined as "joinedAtMillis",
      coalesce(u.last_active_at_millis, u.signed_up_at_millis) as "lastActiveAtMillis"
    from (
      select id as user_id, 'owner' as role, null::bigint as joined, 0 as place from users
      where project_id = 'internal'
        and ${ownsProject(projectId)}
      union all
      select m.user_id, m.role, m.joined, 1
      from unnest(${userIds}::uuid[], ${roles}::text[], ${joinedAt}::bigint[]) as m (user_id, role, joined)
      join users o on o.project_id = 'internal' and o.id = m.user_id
      where not coalesce(${ownsProject(projectId)}, false)
    ) found
    join users u on u.project_id = 'internal' and u.id = found.user_id
    left join contact_channels c
      on c.project_id = 'internal' and c.user_id = u.id and c.type = 'email' and c.is_primary
    order by found.place, found.joined, u.id
  `);
}

/** Adds a member, or replaces the role. */
export async function upsertMember(
  tx: Transaction,
  { projectId, userId, role, nowMillis }: { projectId: string; userId: string; role: InvitedRole; nowMillis: number },
): Promise<void> {
  await tx.query(sql`
    insert into project_members (project_id, user_id, role, created_at_millis)
    values (${projectId}, ${userId}, ${role}, ${nowMillis})
    on conflict (project_id, user_id) do update set role = excluded.role
  `);
}

/** @returns false when the user is not a member */
export async function deleteMember(
  tx: Transaction,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from project_members where project_id = ${projectId} and user_id = ${userId} returning user_id
  `);
  return rows.length > 0;
}
