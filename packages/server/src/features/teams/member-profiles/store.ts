import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Membership } from '../rules.ts';

/** Name and image of a member in a team: the override, or else the values of the user. */
export interface MemberProfile {
  readonly teamId: string;
  readonly userId: string;
  readonly displayName: string | null;
  readonly profileImageUrl: string | null;
}

const profiles = sql`
  select
    m.team_id as "teamId",
    m.user_id as "userId",
    coalesce(m.display_name, u.display_name) as "displayName",
    coalesce(m.profile_image_url, u.profile_image_url) as "profileImageUrl"
  from team_memberships m join users u on u.project_id = m.project_id and u.id = m.user_id
`;

export interface ProfileFilter {
  readonly teamId: string | undefined;
  readonly userId: string | undefined;
}

/** Profiles in joining order, oldest first. */
export function selectProfiles(
  db: Queryable,
  projectId: string,
  { teamId, userId }: ProfileFilter,
): Promise<MemberProfile[]> {
  return db.query<MemberProfile>(sql`
    ${profiles}
    where m.project_id = ${projectId}
      ${teamId === undefined ? sql`` : sql`and m.team_id = ${teamId}`}
      ${userId === undefined ? sql`` : sql`and m.user_id = ${userId}`}
    order by m.created_at_millis, m.team_id, m.user_id
  `);
}

export async function selectProfile(
  db: Queryable,
  projectId: string,
  { teamId, userId }: Membership,
): Promise<MemberProfile | undefined> {
  const [profile] = await selectProfiles(db, projectId, { teamId, userId });
  return profile;
}

/** The overrides of a member in one team; an undefined key leaves the value unchanged. */
export interface ProfilePatch {
  readonly displayName: string | undefined;
  /** Null removes the override, so that the image of the user is shown. */
  readonly profileImageUrl: string | null | undefined;
}

export async function updateProfile(
  tx: Transaction,
  projectId: string,
  { teamId, userId }: Membership,
  { displayName, profileImageUrl }: ProfilePatch,
): Promise<void> {
  await tx.query(sql`
    update team_memberships set
      display_name = coalesce(${displayName}, display_name),
      profile_image_url = case when ${profileImageUrl !== undefined} then ${profileImageUrl} else profile_image_url end
    where project_id = ${projectId} and team_id = ${teamId} and user_id = ${userId}
  `);
}
