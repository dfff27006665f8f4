import type { Project } from '../../../core/project.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { readTeamPermissions, type TeamPermissions } from '../../permissions/index.ts';
import type { Membership } from '../rules.ts';
import { rolesOf } from './rules.ts';
import { selectTeamsHeldAlone, type TeamName } from './store.ts';

const teamsShown = 100;

/** The teams in which a user is the last administrator among several members, oldest first; at most 100. */
export async function selectTeamsWithoutSuccessor(
  db: Queryable,
  project: Project,
  userId: string,
): Promise<TeamName[]> {
  const { expand, holding } = await readTeamPermissions(db, project.id);
  const [highest] = rolesOf(project.config, expand);
  if (highest === undefined) return [];
  return selectTeamsHeldAlone(db, project.id, { userId, permissionIds: [...holding(highest)], limit: teamsShown });
}

/** Whether a member is the last administrator of a team with other members. */
export async function needsSuccessor(
  db: Queryable,
  projectId: string,
  {
    teamId,
    userId,
    roles,
    holding,
  }: Membership & Pick<TeamPermissions, 'holding'> & { readonly roles: readonly string[] },
): Promise<boolean> {
  const [highest] = roles;
  if (highest === undefined) return false;
  const permissionIds = [...holding(highest)];
  const [team] = await selectTeamsHeldAlone(db, projectId, { userId, teamId, permissionIds, limit: 1 });
  return team !== undefined;
}
