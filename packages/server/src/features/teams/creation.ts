import { randomUUID } from 'node:crypto';
import { fail } from '@tessera/protocol';
import { unreachable } from '../../http/refusal.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { OnUserCreated } from '../accounts/users/index.ts';
import { grantTeamDefaults } from '../permissions/index.ts';
import type { Project } from '../projects/index.ts';
import { publishEvent } from '../webhooks/events/index.ts';
import { holdUser, insertMembership } from './memberships/store.ts';
import { type NewTeamFields, teamNameFor } from './rules.ts';
import { insertTeam, selectTeam, type Team } from './store.ts';
import { serverTeam } from './wire.ts';

export interface NewTeam {
  readonly fields: NewTeamFields;
  /** Null for a team without members. */
  readonly creatorUserId: string | null;
  /** Whether the creator goes on to work in it. */
  readonly isSelected: boolean;
  readonly nowMillis: number;
}

/**
 * Makes a team, its creator a member with the permissions of one, and announces the team and nothing else of it.
 *
 * @throws USER_NOT_FOUND when there is no such creator
 */
export async function createTeam(tx: Transaction, project: Project, team: NewTeam): Promise<Team> {
  const { fields, creatorUserId, isSelected, nowMillis } = team;
  const projectId = project.id;
  if (creatorUserId !== null && !(await holdUser(tx, projectId, creatorUserId))) fail('USER_NOT_FOUND');
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

/** A team of one's own for every new user, where the project wants it; selected, and otherwise like any other. */
export const createTeamOnSignUp: OnUserCreated = async (tx, { project, user, nowMillis }) => {
  if (!project.config.createTeamOnSignUp) return;
  const fields = { displayName: teamNameFor(user) };
  await createTeam(tx, project, { fields, creatorUserId: user.id, isSelected: true, nowMillis });
};
