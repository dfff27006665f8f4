import { fail } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { lockUser } from '../../accounts/users/index.ts';
import { grantTeamDefaults } from '../../permissions/index.ts';
import { deleteInvitations } from '../../verification-codes/index.ts';
import { publishEvent } from '../../webhooks/events/index.ts';
import type { Membership } from '../rules.ts';
import { lockTeam } from '../store.ts';
import { deleteMembership, insertMembership } from './store.ts';

/**
 * Makes a user a member with the default permissions, and sends the webhooks of the membership POST.
 *
 * @returns false when the user was already a member; nothing changes then
 * @throws USER_NOT_FOUND, TEAM_NOT_FOUND
 */
export async function addMember(
  tx: Transaction,
  project: Project,
  { teamId, userId, nowMillis }: Membership & { readonly nowMillis: number },
): Promise<boolean> {
  const projectId = project.id;
  if (!(await lockUser(tx, { projectId, userId }, 'hold'))) fail('USER_NOT_FOUND');
  if ((await lockTeam(tx, projectId, teamId)) === undefined) fail('TEAM_NOT_FOUND', { team_id: teamId });
  const membership = { teamId, userId, isSelected: false, createdAtMillis: nowMillis };
  if (!(await insertMembership(tx, projectId, membership))) return false;
  const granted = await grantTeamDefaults(tx, project, { teamId, userId, as: 'member' });
  const data = { team_id: teamId, user_id: userId };
  await publishEvent(tx, { projectId, type: 'team_membership.created', data, nowMillis });
  for (const id of granted) {
    await publishEvent(tx, { projectId, type: 'team_permission.created', data: { id, ...data }, nowMillis });
  }
  return true;
}

/**
 * Ends a membership and sends its webhook, without webhooks for its permissions. The invitations to the user end, so the
 * user needs a new one to come back. Those that the user sent end with a removal by others.
 *
 * @param removal.removedBy the user who leaves or removes; undefined for a server
 * @returns false when there was no membership
 */
export async function removeMember(
  tx: Transaction,
  projectId: string,
  {
    teamId,
    userId,
    removedBy,
    nowMillis,
  }: Membership & { readonly removedBy: string | undefined; readonly nowMillis: number },
): Promise<boolean> {
  if (!(await deleteMembership(tx, projectId, { teamId, userId }))) return false;
  const inviterId = removedBy === userId ? undefined : userId;
  await deleteInvitations(tx, projectId, { to: { kind: 'team_invitation', id: teamId }, userId, inviterId });
  const data = { team_id: teamId, user_id: userId };
  await publishEvent(tx, { projectId, type: 'team_membership.deleted', data, nowMillis });
  return true;
}
