import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** An invitation that can still be accepted. */
export interface Invitation {
  readonly id: string;
  readonly teamId: string;
  readonly recipientEmail: string;
  readonly expiresAtMillis: number;
  /** Null: the default permissions of a member. */
  readonly roleId: string | null;
  /** Null: a server. */
  readonly inviterId: string | null;
  /** The name of the inviting member; null when it has none, and for a server. */
  readonly inviterName: string | null;
}

/** The unused, unexpired invitations of a team, or one of them; oldest first. */
export function selectOpenInvitations(
  db: Queryable,
  projectId: string,
  { teamId, id, nowMillis }: { teamId: string; id?: string; nowMillis: number },
): Promise<Invitation[]> {
  // An invitation has an address; codes of other kinds may have none.
  return db.query<Invitation>(sql`
    select i.id, i.data ->> 'teamId' as "teamId", coalesce(i.address, '') as "recipientEmail",
      i.expires_at_millis as "expiresAtMillis", i.data ->> 'roleId' as "roleId",
      i.data ->> 'inviterId' as "inviterId",
      nullif(coalesce(m.display_name, u.display_name), '') as "inviterName"
    from one_time_codes i
    left join team_memberships m on m.project_id = i.project_id and m.team_id = ${teamId}
      and m.user_id = (i.data ->> 'inviterId')::uuid
    left join users u on u.project_id = m.project_id and u.id = m.user_id
    where i.project_id = ${projectId} and i.kind = 'team_invitation' and i.data ->> 'teamId' = ${teamId}
      ${id === undefined ? sql`` : sql`and i.id = ${id}`}
      and i.used_at_millis is null and i.expires_at_millis > ${nowMillis}
    order by i.created_at_millis, i.id
  `);
}

/** The name of a member inside the team; undefined for a user who is not a member. */
export async function selectMemberName(
  db: Queryable,
  projectId: string,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<string | null | undefined> {
  const [member] = await db.query<{ name: string | null }>(sql`
    select coalesce(m.display_name, u.display_name) as name
    from team_memberships m join users u on u.project_id = m.project_id and u.id = m.user_id
    where m.project_id = ${projectId} and m.team_id = ${teamId} and m.user_id = ${userId}
  `);
  return member?.name;
}
