import type { Project } from '../../../core/project.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { readTeamPermissions } from '../../permissions/index.ts';
import { rolesOf } from './rules.ts';
import { selectTeamsHeldAlone, type TeamName } from './store.ts';

const teamsShown = 100;

/** The teams in which a user is the last administrator among several members, oldest first; at most 100. */
export async function selectTeamsWithoutSuccessor(
  db: Queryable,
  project: Project,
  userId: string,
): Promise<TeamName[]> {
  const { ids, expand } = await readTeamPermissions(db, project.id);
  const [highest] = rolesOf(project.config, expand);
  if (highest === undefined) return [];
  const permissionIds = ids.filter(id => expand([id]).has(highest));
  return selectTeamsHeldAlone(db, project.id, { userId, permissionIds, limit: teamsShown });
}
