import { fail } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { holdCaller, holdMembership } from '../../accounts/users/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { holdDefinitions, readTeamGrants } from '../../permissions/index.ts';
import { createCode, deleteCode, linkWithCode, recordAcceptance } from '../../verification-codes/index.ts';
import {
  addMember,
  applyGrants,
  failNoTeam,
  holdMember,
  isAssignable,
  lockTeam,
  rolesOf,
  type TeamCaller,
} from '../index.ts';
import { selectMemberName } from './store.ts';

interface InviteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mail: Mail;
}

/** An invitation that is sent. */
interface NewInvitation {
  readonly teamId: string;
  /** Normalized. */
  readonly address: string;
  readonly callbackUrl: string;
  readonly countsInQuota: boolean;
  /** The member who invites; undefined for a server. */
  readonly inviterId: string | undefined;
  /** Undefined: the default permissions of a member. */
  readonly roleId: string | undefined;
}

/** Creates the code and queues the email in one transaction that locks the team. @returns the id of the invitation */
export function invite(caller: TeamCaller, invitation: NewInvitation, deps: InviteDeps): Promise<string> {
  const { teamId, inviterId } = invitation;
  const projectId = caller.project.id;
  return transaction(deps.db, async tx => {
    if (inviterId !== undefined) {
      await holdDefinitions(tx, projectId);
      // A server with the access token of a member invites as that member.
      await holdCaller(tx, { ...caller, level: 'client' }, deps);
    }
    const team = (await lockTeam(tx, projectId, teamId)) ?? failNoTeam(caller, teamId);
    // A removal ends the invitations that it finds.
    if (inviterId !== undefined) await holdMember(tx, projectId, { teamId, userId: inviterId }, ['$invite_members']);
    return send(tx, { projectId, team, invitation }, deps);
  });
}

/**
 * Sends an invitation again: a new code replaces the old one.
 *
 * @throws VERIFICATION_CODE_NOT_FOUND when it ended meanwhile
 */
export function inviteAgain(
  caller: TeamCaller,
  { id, ...invitation }: NewInvitation & { readonly id: string },
  deps: InviteDeps,
): Promise<string> {
  const { teamId } = invitation;
  const projectId = caller.project.id;
  return transaction(deps.db, async tx => {
    // A removal ends the invitations that it finds.
    const team = (await lockTeam(tx, projectId, teamId)) ?? failNoTeam(caller, teamId);
    const earlier = { id, kind: 'team_invitation', data: { teamId } };
    if (!(await deleteCode(tx, projectId, earlier))) fail('VERIFICATION_CODE_NOT_FOUND');
    return send(tx, { projectId, team, invitation }, deps);
  });
}

async function send(
  tx: Transaction,
  { projectId, team, invitation }: { projectId: string; team: { displayName: string }; invitation: NewInvitation },
  deps: InviteDeps,
): Promise<string> {
  const { teamId, address, callbackUrl, countsInQuota, inviterId, roleId } = invitation;
  const data = { teamId, ...(inviterId && { inviterId }), ...(roleId && { roleId }) };
  const { id, code } = await createCode(tx, { projectId, kind: 'team_invitation', userId: null, address, data }, deps);
  const inviterDisplayName = inviterId && (await selectMemberName(tx, projectId, { teamId, userId: inviterId }));
  const variables = {
    teamInvitationLink: linkWithCode(callbackUrl, code),
    teamDisplayName: team.displayName,
    recipientAddress: address,
    ...(inviterDisplayName && { inviterDisplayName }),
  };
  await deps.mail.send(tx, { projectId, template: 'team_invitation', recipient: address, variables, countsInQuota });
  return id;
}

interface Joining {
  readonly invitationId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly inviterId?: string | undefined;
  readonly roleId?: string | undefined;
  readonly nowMillis: number;
}

/**
 * The effect of an accepted invitation. A present member stays as it is.
 *
 * @throws VERIFICATION_CODE_NOT_FOUND when the invitation ended after its code was redeemed
 */
export async function join(tx: Transaction, project: Project, joining: Joining): Promise<void> {
  const { invitationId, teamId, userId, roleId, nowMillis } = joining;
  if (roleId !== undefined) await holdDefinitions(tx, project.id);
  const isNew = await addMember(tx, project, { teamId, userId, nowMillis });
  if (isNew) await grantInvitedRole(tx, project, joining);
  // After the membership, as in a removal.
  const isOpen = await recordAcceptance(tx, project.id, { id: invitationId, userId });
  if (!isOpen) fail('VERIFICATION_CODE_NOT_FOUND');
}

async function grantInvitedRole(
  tx: Transaction,
  project: Project,
  { teamId, userId, inviterId, roleId, nowMillis }: Joining,
): Promise<void> {
  if (roleId === undefined || inviterId === undefined) return;
  const projectId = project.id;

  // The inviter may have lost the right since, and the role may be gone: then the default permissions hold.
  await holdMembership(tx, projectId, inviterId, teamId);
  const { direct, expand } = await readTeamGrants(tx, projectId, { teamId, userIds: [inviterId, userId] });
  const roles = rolesOf(project.config, expand);
  const held = expand(direct.get(inviterId) ?? []);
  if (!isAssignable(roleId, { roles, held, expand })) return;
  const revoke = (direct.get(userId) ?? []).filter(id => id !== roleId && roles.includes(id));
  await applyGrants(tx, { projectId, teamId, userId, plan: { revoke, grant: [roleId] }, nowMillis });
}
