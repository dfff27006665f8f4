import type { Json } from '@tessera/protocol';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { jsonText, sql } from '../../platform/database/sql.ts';
import type { NewTeamFields, TeamFields } from './rules.ts';

export interface Team {
  readonly id: string;
  readonly displayName: string;
  readonly profileImageUrl: string | null;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
  readonly serverMetadata: Json;
  readonly createdAtMillis: number;
}

/** The columns of a `Team`, from table `teams` as `t`. */
export const teamColumns = sql`
  t.id,
  t.display_name as "displayName",
  t.profile_image_url as "profileImageUrl",
  t.client_metadata as "clientMetadata",
  t.client_read_only_metadata as "clientReadOnlyMetadata",
  t.server_metadata as "serverMetadata",
  t.created_at_millis as "createdAtMillis"
`;

export async function selectTeam(db: Queryable, projectId: string, teamId: string): Promise<Team | undefined> {
  const [team] = await db.query<Team>(sql`
    select ${teamColumns} from teams t where t.project_id = ${projectId} and t.id = ${teamId}
  `);
  return team;
}

/** All teams of a project, oldest first. */
export function selectTeams(db: Queryable, projectId: string): Promise<Team[]> {
  return db.query<Team>(sql`
    select ${teamColumns} from teams t where t.project_id = ${projectId} order by t.created_at_millis, t.id
  `);
}

/** The teams of a user, oldest first. */
export function selectTeamsOf(db: Queryable, projectId: string, userId: string): Promise<Team[]> {
  return db.query<Team>(sql`
    select ${teamColumns} from team_memberships m
    join teams t on t.project_id = ${projectId} and t.id = m.team_id
    where m.project_id = ${projectId} and m.user_id = ${userId}
    order by t.created_at_millis, t.id
  `);
}

/** Locks a team against deletion until the transaction ends. @returns undefined when the team does not exist */
export async function lockTeam(tx: Transaction, projectId: string, teamId: string): Promise<Team | undefined> {
  const [team] = await tx.query<Team>(sql`
    select ${teamColumns} from teams t where t.project_id = ${projectId} and t.id = ${teamId} for key share
  `);
  return team;
}

export async function insertTeam(
  tx: Transaction,
  projectId: string,
  { id, fields, createdAtMillis }: { id: string; fields: NewTeamFields; createdAtMillis: number },
): Promise<void> {
  await tx.query(sql`
    insert into teams (
      project_id, id, display_name, profile_image_url, client_metadata, client_read_only_metadata, server_metadata,
      created_at_millis
    ) values (
      ${projectId}, ${id}, ${fields.displayName}, ${fields.profileImageUrl}, ${jsonText(fields.clientMetadata)},
      ${jsonText(fields.clientReadOnlyMetadata)}, ${jsonText(fields.serverMetadata)}, ${createdAtMillis}
    )
  `);
}

/** Updates the given fields. @returns undefined when the team does not exist */
export async function updateTeam(
  tx: Transaction,
  projectId: string,
  teamId: string,
  fields: TeamFields,
): Promise<Team | undefined> {
  const { displayName, profileImageUrl, clientMetadata, clientReadOnlyMetadata, serverMetadata } = fields;
  const [team] = await tx.query<Team>(sql`
    update teams t set
      display_name = coalesce(${displayName}, t.display_name),
      profile_image_url = case when ${profileImageUrl !== undefined} then ${profileImageUrl} else t.profile_image_url end,
      client_metadata = case when ${clientMetadata !== undefined}
        then ${jsonText(clientMetadata)} else t.client_metadata end,
      client_read_only_metadata = case when ${clientReadOnlyMetadata !== undefined}
        then ${jsonText(clientReadOnlyMetadata)} else t.client_read_only_metadata end,
      server_metadata = case when ${serverMetadata !== undefined}
        then ${jsonText(serverMetadata)} else t.server_metadata end
    where t.project_id = ${projectId} and t.id = ${teamId}
    returning ${teamColumns}
  `);
  return team;
}

/**
 * Deletes the next `atMost` memberships of a team behind its first `atMost` ones, in the order of the user ids. The first
 * ones, and the one of `keptUserId`, are few enough to be deleted with the team.
 *
 * @returns the number of deleted memberships, at most `atMost`
 */
export async function deleteSurplusMemberships(
  tx: Transaction,
  projectId: string,
  { teamId, keptUserId, atMost }: { teamId: string; keptUserId: string | null; atMost: number },
): Promise<number> {
  const rows = await tx.query(sql`
    delete from team_memberships where project_id = ${projectId} and team_id = ${teamId} and user_id = any(array(
      select user_id from team_memberships
      where project_id = ${projectId} and team_id = ${teamId} and user_id is distinct from ${keptUserId}::uuid
      order by user_id offset ${atMost} limit ${atMost}
    ))
    returning user_id
  `);
  return rows.length;
}

/** Memberships with their permissions and profiles, and API keys, are deleted with the row. @returns false when there was none */
export async function deleteTeam(tx: Transaction, projectId: string, teamId: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from teams where project_id = ${projectId} and id = ${teamId} returning id`);
  return rows.length > 0;
}
