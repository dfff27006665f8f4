import { randomUUID } from 'node:crypto';
import { fail } from '@tessera/protocol';
import type { Project } from '../../core/project.ts';
import { unreachable } from '../../http/refusal.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockUser, type OnUserCreated, serverTeam } from '../accounts/users/index.ts';
import { grantTeamDefaults } from '../permissions/index.ts';
import { publishEvent } from '../webhooks/events/index.ts';
import { insertMembership } from './memberships/store.ts';
import { deriveTeamName, type NewTeamFields } from './rules.ts';
import { insertTeam, selectTeam, type Team } from './store.ts';

export interface NewTeam {
  readonly fields: NewTeamFields;
  /** Null for a team without members. */
  readonly creatorUserId: string | null;
  /** Whether the team becomes the selected team of its creator. */
  readonly isSelected: boolean;
  readonly nowMillis: number;
}

/**
 * Creates a team, makes its creator a member with the creator permissions, and sends only the webhook `team.created`.
 *
 * @throws USER_NOT_FOUND when the creator does not exist
 */
export async function createTeam(tx: Transaction, project: Project, team: NewTeam): Promise<Team> {
  const { fields, creatorUserId, isSelected, nowMillis } = team;
  const projectId = project.id;
  if (creatorUserId !== null && !(await lockUser(tx, { projectId, userId: creatorUserId }, 'hold')))
    fail('USER_NOT_FOUND');
  const teamId = randomUUID();
  await insertTeam(tx, projectId, { id: teamId, fields, createdAtMillis: nowMillis });
  if (creatorUserId !== null) {
    await insertMembership(tx, projectId, { teamId, userId: creatorUserId, isSelected, createdAtMillis: nowMillis });
    await grantTeamDefaults(tx, project, { teamId, userId: creatorUserId, as: 'creator' });
  }
  const made = (await selectTeam(tx, projectId, teamId)) ?? unreachable('a team that was just made is not there');
  await publishEvent(tx, { projectId, type: 'team.created', data: serverTeam(made), nowMillis });
  return made;
}

/** Creates and selects an ordinary team for every new user, when the project has this switched on. */
export const createTeamOnSignUp: OnUserCreated = async (tx, { project, user, nowMillis }) => {
  if (!project.config.createTeamOnSignUp) return;
  const fields = { displayName: deriveTeamName(user) };
  await createTeam(tx, project, { fields, creatorUserId: user.id, isSelected: true, nowMillis });
};
