import { fail, projectInvitationsMax, projectMemberEndpoints, projectMembersMax } from '@tessera/protocol';
import type { Call } from '../../core/call.ts';
import type { Settings } from '../../env.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import type { Passwords } from '../../platform/crypto/passwords.ts';
import { type Transaction, transaction } from '../../platform/database/database.ts';
import { projectInvitationUses } from '../../platform/rate-limits/index.ts';
import {
  assertStrongPassword,
  type CreateUser,
  holdCallerSession,
  lockUser,
  normalizedEmail,
  selectCredential,
} from '../accounts/users/index.ts';
import { auditedBy, auditedByOwner, recordAudit } from '../audit/index.ts';
import {
  assertRoleHeld,
  lockProjectRecord,
  selectMembers,
  selectProjectRecords,
  upsertMember,
} from '../projects/index.ts';
import { sessionTermsOf } from '../sessions/index.ts';
import { type FinishSignInDeps, startSession } from '../sign-in/index.ts';
import {
  type CheckedCode,
  checkCode,
  createCode,
  deleteCode,
  deleteInvitations,
  recordAcceptance,
  redeemCode,
  spendCode,
} from '../verification-codes/index.ts';
import { type MemberDeps, memberRoutes } from './members.ts';
import { assertRoleExists, nameOf, requirePerson } from './rules.ts';
import { type Invitation, selectOpenInvitations } from './store.ts';
import { toInvitation } from './wire.ts';

type ProjectMemberRoutesDeps = MemberDeps &
  FinishSignInDeps & {
    readonly settings: Pick<Settings, 'mode' | 'publicUrl'>;
    readonly passwords: Passwords;
  };

const kind = 'project_invitation';
type Code = CheckedCode<typeof kind>;

/** Members, ownership and invitations (docs/contract/projects.md#members-and-roles). */
export function projectMemberRoutes(deps: ProjectMemberRoutesDeps, createUser: CreateUser): BoundRoute[] {
  return [...memberRoutes(deps), ...invitationRoutes(deps), ...acceptanceRoutes(deps, createUser)];
}

function invitationRoutes(deps: ProjectMemberRoutesDeps): BoundRoute[] {
  return [
    bind(projectMemberEndpoints.invite, async call => {
      const inviterId = requirePerson(call);
      assertRoleExists(call.project.id, call.body.role);
      await deps.rateLimits.spend(projectInvitationUses(inviterId, normalizedEmail(call.body.email)));
      return toInvitation(await invite(call, inviterId, deps));
    }),

    bind(projectMemberEndpoints.listInvitations, async ({ project }) => {
      const open = await selectOpenInvitations(deps.db, { projectId: project.id, nowMillis: deps.clock.now() });
      return { items: open.map(toInvitation), is_paginated: false } as const;
    }),

    bind(projectMemberEndpoints.revokeInvitation, async call => {
      requirePerson(call);
      const invitation = { id: call.params.id, kind, data: { projectId: call.project.id } } as const;
      await transaction(deps.db, async tx => {
        if (!(await deleteCode(tx, 'internal', invitation))) fail('VERIFICATION_CODE_NOT_FOUND');
        const subject = { type: 'project_invitation', id: invitation.id };
        const event = { action: 'project.invitation_revoked', subject, atMillis: deps.clock.now() } as const;
        await recordAudit(tx, { ...auditedBy(call), ...event });
      });
      return { success: true } as const;
    }),
  ];
}

/** Creates the code and queues its email in one transaction. */
function invite(call: Call<typeof projectMemberEndpoints.invite>, inviterId: string, deps: ProjectMemberRoutesDeps) {
  const { project, body } = call;
  const [address, nowMillis] = [normalizedEmail(body.email), deps.clock.now()];
  return transaction(deps.db, async tx => {
    const record = await lockProjectRecord(tx, project.id);
    if (record === undefined) fail('PROJECT_NOT_FOUND', { project_id: project.id });
    // A suspension and a transfer end the invitations that they find.
    await assertRoleHeld(tx, { projectId: project.id, ownerId: inviterId }, 'owner');
    const people = await selectMembers(tx, project.id);
    if (people.some(({ primaryEmail }) => primaryEmail === address)) refuse(409, 'This person is a member already.');
    const open = await endEarlierInvitations(tx, { projectId: project.id, address, nowMillis });
    if (open.length >= projectInvitationsMax)
      refuse(409, `There are ${projectInvitationsMax} open invitations already.`);
    const data = { projectId: project.id, role: body.role, inviterId };
    const { id, code } = await createCode(tx, { projectId: 'internal', kind, userId: null, address, data }, deps);
    const inviter = people.find(({ userId }) => userId === inviterId);
    const variables = {
      ofProject: record.displayName,
      inviterName: nameOf(inviter ?? { displayName: null, primaryEmail: null }),
      asRole: body.role === 'admin' ? 'an admin' : 'a viewer',
      // The fragment is sent neither to a proxy nor in a Referer header.
      projectInvitationLink: `${deps.settings.publicUrl}/dashboard/invitation#code=${code}`,
    };
    const countsInQuota = !call.source.isOwnMachine;
    await deps.mail.send(tx, { projectId: 'internal', template: kind, recipient: address, variables, countsInQuota });
    const event = { action: 'project.member_invited', details: { role: body.role, address } } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event, subject: { type: kind, id }, atMillis: nowMillis });
    const created = (await selectOpenInvitations(tx, { projectId: project.id, nowMillis })).find(one => one.id === id);
    return created ?? fail('VERIFICATION_CODE_NOT_FOUND');
  });
}

/** A person has one open invitation: a new one replaces it. @returns those of other people */
async function endEarlierInvitations(
  tx: Transaction,
  { projectId, address, nowMillis }: { projectId: string; address: string; nowMillis: number },
): Promise<readonly Invitation[]> {
  const open = await selectOpenInvitations(tx, { projectId, nowMillis });
  const isEarlier = ({ recipientEmail }: Invitation) => recipientEmail === address;
  for (const { id } of open.filter(isEarlier)) await deleteCode(tx, 'internal', { id, kind, data: { projectId } });
  return open.filter(invitation => !isEarlier(invitation));
}

type CodeCall = Pick<Call<typeof projectMemberEndpoints.accept>, 'project' | 'body' | 'level' | 'source'>;

function acceptanceRoutes(deps: ProjectMemberRoutesDeps, createUser: CreateUser): BoundRoute[] {
  const presentedCode = ({ project, body, level, source }: CodeCall) => {
    if (project.id !== 'internal') fail('EXPECTED_INTERNAL_PROJECT');
    return { projectId: 'internal', kind, code: body.code, by: { level, source } } as const;
  };

  return [
    bind(projectMemberEndpoints.invitationDetails, async call => {
      const { data, address } = await checkCode(presentedCode(call), deps);
      const [project] = await selectProjectRecords(deps.db, [data.projectId]);
      if (project === undefined) fail('VERIFICATION_CODE_NOT_FOUND');
      const recipient = address ?? '';
      return {
        project_display_name: project.displayName,
        role: data.role,
        recipient_email: recipient,
        has_account: (await selectCredential(deps.db, 'internal', recipient)) !== undefined,
      };
    }),

    bind(projectMemberEndpoints.accept, async call => {
      const { user } = call;
      if (user.isAnonymous) refuse(403, 'Anonymous users cannot manage projects. Please sign up first.');
      const code = await redeemCode(presentedCode(call), deps);
      await transaction(deps.db, async tx => {
        await join(tx, call, { code, userId: user.id }, deps);
        // A suspended user does not join. A server with the access token of a user accepts as that user.
        await holdCallerSession(tx, { ...call, level: 'client' }, deps);
      });
      return { project_id: code.data.projectId };
    }),

    bind(projectMemberEndpoints.signUp, async call => {
      const { project, body, request, source } = call;
      const code = await checkCode(presentedCode(call), deps);
      const email = code.address ?? '';
      if ((await selectCredential(deps.db, 'internal', email)) !== undefined) {
        fail('USER_EMAIL_ALREADY_EXISTS', { email });
      }
      await assertStrongPassword(body.password, { project, addresses: [email] }, deps);
      // Before the code is spent: when too many passwords are being hashed, the person gets a 429 and tries again.
      const passwordHash = await deps.passwords.hash(body.password, project.id);
      const terms = await sessionTermsOf('internal', deps);
      await spendCode(deps.db, 'internal', code, deps);
      return transaction(deps.db, async tx => {
        const user = await createUser(tx, project, {
          displayName: body.display_name || null,
          passwordHash,
          // The code arrived at the address.
          primaryEmail: { value: email, isVerified: true, usedForAuth: true },
          nowMillis: deps.clock.now(),
        });
        await join(tx, call, { code, userId: user.id }, deps);
        const passed = { projectId: 'internal', userId: user.id, isNewUser: true, request, source };
        return startSession(tx, { ...passed, method: kind, terms }, deps);
      });
    }),
  ];
}

/**
 * Makes a user a member. An owner or member stays as it is; the code is used all the same. The other open invitations
 * to the user end.
 *
 * @throws USER_AUTHENTICATION_REQUIRED when the user was deleted
 */
async function join(
  tx: Transaction,
  call: Parameters<typeof auditedBy>[0],
  { code, userId }: { code: Code; userId: string },
  deps: ProjectMemberRoutesDeps,
): Promise<void> {
  const { projectId, role } = code.data;
  // The project may have been deleted since the code was checked.
  if ((await lockProjectRecord(tx, projectId)) === undefined) fail('VERIFICATION_CODE_NOT_FOUND');
  if (!(await lockUser(tx, { projectId: 'internal', userId }, 'hold'))) fail('USER_AUTHENTICATION_REQUIRED');
  // It may have been revoked, or the user removed, since the code was redeemed.
  if (!(await recordAcceptance(tx, 'internal', { id: code.id, userId }))) fail('VERIFICATION_CODE_NOT_FOUND');
  await deleteInvitations(tx, 'internal', { to: { kind, id: projectId }, userId });
  const people = await selectMembers(tx, projectId);
  if (people.some(one => one.userId === userId)) return;
  if (people.length >= projectMembersMax) refuse(409, `The project has ${projectMembersMax} members already.`);
  const nowMillis = deps.clock.now();
  await upsertMember(tx, { projectId, userId, role, nowMillis });
  const event = { action: 'project.member_joined', subject: { type: 'member', id: userId } } as const;
  const by = auditedByOwner(call, userId);
  await recordAudit(tx, { ...by, ...event, projectId, details: { role }, atMillis: nowMillis });
}
