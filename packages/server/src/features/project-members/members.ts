import { type ProjectRole, projectMemberEndpoints } from '@tessera/protocol';
import type { Call } from '../../core/call.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { countNotice, lockUser } from '../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../audit/index.ts';
import type { Mail } from '../email/queue/index.ts';
import {
  addOwnedProjects,
  assertRoleHeld,
  deleteMember,
  holdRole,
  lockProjectRecord,
  type MemberRow,
  removeOwnedProject,
  selectMembers,
  upsertMember,
} from '../projects/index.ts';
import { deleteInvitations } from '../verification-codes/index.ts';
import { assertRoleExists, nameOf, requirePerson } from './rules.ts';
import { toMember } from './wire.ts';

export interface MemberDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly mail: Mail;
}

/** The people who manage a project (docs/contract/projects.md#members-and-roles). */
export function memberRoutes(deps: MemberDeps): BoundRoute[] {
  return [
    bind(projectMemberEndpoints.list, async ({ project }) => ({
      items: (await selectMembers(deps.db.reads, project.id)).map(toMember),
      is_paginated: false as const,
    })),

    bind(projectMemberEndpoints.changeRole, async call => {
      const { role } = call.body;
      assertRoleExists(call.project.id, role);
      await transaction(deps.db, async tx => {
        await lockCaller(tx, call, 'owner');
        const member = await lockMember(tx, call.project.id, call.params.user_id);
        await upsertMember(tx, {
          projectId: call.project.id,
          userId: member.userId,
          role,
          nowMillis: deps.clock.now(),
        });
        await endInvitations(tx, call.project.id, member.userId);
        const event = { action: 'project.member_role_changed', details: { role, before: member.role } } as const;
        await recordMember(tx, call, { ...event, userId: member.userId }, deps);
      });
      return { success: true } as const;
    }),

    bind(projectMemberEndpoints.remove, async call => {
      await transaction(deps.db, async tx => {
        await lockCaller(tx, call, call.ownerId === call.params.user_id ? 'viewer' : 'owner');
        const member = await lockMember(tx, call.project.id, call.params.user_id);
        await deleteMember(tx, { projectId: call.project.id, userId: member.userId });
        await endInvitations(tx, call.project.id, member.userId);
        const event = { action: 'project.member_removed', details: { role: member.role } } as const;
        await recordMember(tx, call, { ...event, userId: member.userId }, deps);
      });
      return { success: true } as const;
    }),

    bind(projectMemberEndpoints.transfer, async call => {
      await transfer(call, deps);
      return { success: true } as const;
    }),
  ];
}

/** Moves the ownership in one transaction: the project has an owner at every time. */
async function transfer(call: Call<typeof projectMemberEndpoints.transfer>, deps: MemberDeps): Promise<void> {
  const oldOwnerId = requirePerson(call);
  const { id: projectId } = call.project;
  if (projectId === 'internal') refuse(403, 'The project internal cannot be transferred.');
  await transaction(deps.db, async tx => {
    const project = await lockProjectRecord(tx, projectId);
    const member = await lockMember(tx, projectId, call.body.user_id);
    // The account of the caller may be deleted or suspended since the request began.
    const role = await holdRole(tx, { projectId, ownerId: oldOwnerId });
    if (project?.displayName !== call.body.display_name) refuse(400, 'The typed name is not the name of the project.');
    const people = await selectMembers(tx, projectId);
    const oldOwner = people.find(({ userId }) => userId === oldOwnerId);
    if (role !== 'owner' || oldOwner === undefined) refuse(409, 'You do not own this project any more.');
    await deleteMember(tx, { projectId, userId: member.userId });
    await removeOwnedProject(tx, oldOwnerId, projectId);
    await addOwnedProjects(tx, member.userId, [projectId]);
    await upsertMember(tx, { projectId, userId: oldOwnerId, role: 'admin', nowMillis: deps.clock.now() });
    await endInvitations(tx, projectId, oldOwnerId);
    const details = { from: oldOwnerId, to: member.userId };
    await recordMember(tx, call, { action: 'project.owner_changed', details, userId: member.userId }, deps);
    const variables = { ofProject: project.displayName, oldOwner: nameOf(oldOwner), newOwner: nameOf(member) };
    await sendTransferNotices(tx, [oldOwner, member], variables, deps);
  });
}

/** Within the limits of notices (control 72): two accounts can transfer a project to each other without end. */
async function sendTransferNotices(
  tx: Transaction,
  people: readonly MemberRow[],
  variables: { ofProject: string; oldOwner: string; newOwner: string },
  { mail, clock }: Pick<MemberDeps, 'mail' | 'clock'>,
): Promise<void> {
  const projectId = 'internal';
  for (const { userId, primaryEmail: recipient, primaryEmailVerified: isVerified } of people) {
    if (recipient === null) continue;
    if (!(await countNotice(tx, recipient, { projectId, userId, isVerified }, clock.now()))) continue;
    await mail.send(tx, { projectId, template: 'project_transferred', recipient, variables });
  }
}

/** Ends the invitations of a former member, received and sent ones: with either the person could join again. */
function endInvitations(tx: Transaction, projectId: string, userId: string): Promise<void> {
  const to = { kind: 'project_invitation', id: projectId } as const;
  return deleteInvitations(tx, 'internal', { to, userId, inviterId: userId });
}

/**
 * Locks the project, so that changes of its members run one after the other, and reads the role of the caller again: a
 * transfer, a removal or a suspension may have ended it since the request began.
 *
 * @throws a text 403 for a key, ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN, PROJECT_ROLE_INSUFFICIENT
 */
async function lockCaller(
  tx: Transaction,
  call: Parameters<typeof requirePerson>[0],
  lowest: ProjectRole,
): Promise<void> {
  const ownerId = requirePerson(call);
  await lockProjectRecord(tx, call.project.id);
  await assertRoleHeld(tx, { projectId: call.project.id, ownerId }, lowest);
}

/**
 * Finds a member who does not own the project, and locks the account against deletion. The caller has locked the project.
 *
 * @throws a text 404, and a text 409 for an owner
 */
async function lockMember(tx: Transaction, projectId: string, userId: string): Promise<MemberRow> {
  await lockUser(tx, { projectId: 'internal', userId }, 'hold');
  const member = (await selectMembers(tx, projectId)).find(one => one.userId === userId);
  if (member === undefined) refuse(404, 'This user is not a member of the project.');
  if (member.role === 'owner') refuse(409, 'An owner stays until the project is transferred.');
  return member;
}

interface MemberEvent {
  readonly action: 'project.member_role_changed' | 'project.member_removed' | 'project.owner_changed';
  readonly userId: string;
  readonly details: Readonly<Record<string, string>>;
}

function recordMember(
  tx: Transaction,
  call: Parameters<typeof auditedBy>[0],
  { action, userId, details }: MemberEvent,
  { clock }: Pick<MemberDeps, 'clock'>,
): Promise<void> {
  const subject = { type: 'member', id: userId };
  return recordAudit(tx, { ...auditedBy(call), action, subject, details, atMillis: clock.now() });
}
