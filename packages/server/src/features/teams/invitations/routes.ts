import { fail, teamInvitationEndpoints, teamListEndpoints } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Queryable, transaction } from '../../../platform/database/database.ts';
import { mailUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { hasVerifiedAddress } from '../../accounts/contact-channels/index.ts';
import { holdCallerSession, normalizedEmail } from '../../accounts/users/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import type { PermissionDefinitions } from '../../permissions/index.ts';
import { assertTrustedUrl } from '../../projects/index.ts';
import { checkCode, deleteCode, redeemCode } from '../../verification-codes/index.ts';
import {
  assertClientMay,
  failNoTeam,
  holdClientMay,
  type Need,
  normalizeTeamId,
  requireSignedIn,
  selectTeam,
  type Team,
  type TeamCaller,
} from '../index.ts';
import { invite, inviteAgain, join } from './invite.ts';
import { selectOpenInvitations } from './store.ts';
import { toTeamInvitation } from './wire.ts';

interface InvitationRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
}

const kind = 'team_invitation';
const toInvite: Need = { permissions: ['$invite_members'], signedOut: 'USER_AUTHENTICATION_REQUIRED' };
const toList: Need = {
  permissions: ['$read_members', '$invite_members'],
  signedOut: 'CANNOT_GET_OWN_USER_WITHOUT_USER',
};
const toRevoke: Need = { permissions: ['$remove_members'], signedOut: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };

export function teamInvitationRoutes(deps: InvitationRoutesDeps): BoundRoute[] {
  return [
    sendAgainRoute(deps),
    bind(teamInvitationEndpoints.sendCode, async call => {
      const { project, body } = call;
      const teamId = normalizeTeamId(body.team_id);
      await assertReachable(deps, call, teamId, toInvite);
      assertTrustedUrl(body.callback_url, project.config);
      const address = normalizedEmail(body.email);
      await deps.rateLimits.spend(mailUses(call, address, 'invitation'));
      const id = await invite(
        call,
        {
          teamId,
          address,
          callbackUrl: body.callback_url,
          countsInQuota: !call.source.isOwnMachine,
          inviterId: call.level === 'client' ? call.user?.id : undefined,
          roleId: undefined,
        },
        deps,
      );
      return { success: true, id } as const;
    }),

    bind(teamInvitationEndpoints.list, async call => {
      const teamId = normalizeTeamId(call.query.team_id);
      await assertReachable(deps, call, teamId, toList);
      const open = await selectOpenInvitations(deps.db.reads, call.project.id, { teamId, nowMillis: deps.clock.now() });
      return { items: open.map(toTeamInvitation), is_paginated: false } as const;
    }),

    bind(teamInvitationEndpoints.revoke, async call => {
      const teamId = normalizeTeamId(call.query.team_id);
      await assertReachable(deps, call, teamId, toRevoke);
      // Invitations of other teams stay.
      const invitation = { id: call.params.id, kind, data: { teamId } } as const;
      const wasThere = await transaction(deps.db, async tx => {
        await holdClientMay(tx, call, { teamId, need: toRevoke }, deps);
        return deleteCode(tx, call.project.id, invitation);
      });
      return wasThere ? ({ success: true } as const) : fail('VERIFICATION_CODE_NOT_FOUND');
    }),

    bind(teamInvitationEndpoints.accept, async call => {
      const { project, body } = call;
      // Before the code is redeemed, so that a signed-out call does not use it.
      const user = requireSignedIn(call);
      const presented = { projectId: project.id, kind, code: body.code, by: call } as const;
      const { id, data } = await redeemCode(presented, deps, async code => {
        await assertInvited(deps.db, project, { userId: user.id, address: code.address });
        await findInvitedTeam(deps.db, project.id, code.data.teamId);
      });
      const joining = { ...data, invitationId: id, userId: user.id, nowMillis: deps.clock.now() };
      // An existing member stays one; the code is used all the same.
      await transaction(deps.db, async tx => {
        await join(tx, project, joining);
        // A suspended user does not join. A server with the access token of a user accepts as that user.
        await holdCallerSession(tx, { ...call, level: 'client' }, deps);
      });
      return {};
    }),

    bind(teamInvitationEndpoints.checkCode, async call => {
      const { project, body } = call;
      await checkCode({ projectId: project.id, kind, code: body.code, by: call }, deps);
      return { is_code_valid: true } as const;
    }),

    bind(teamInvitationEndpoints.details, async call => {
      const { project, body } = call;
      const user = requireSignedIn(call);
      const { data, address } = await checkCode({ projectId: project.id, kind, code: body.code, by: call }, deps);
      await assertInvited(deps.db, project, { userId: user.id, address });
      const team = await findInvitedTeam(deps.db, project.id, data.teamId);
      return { team_id: team.id, team_display_name: team.displayName };
    }),
  ];
}

/** Extension (docs/contract/decisions.md#team-invitations). */
function sendAgainRoute(deps: InvitationRoutesDeps): BoundRoute {
  return bind(teamListEndpoints.sendInvitationAgain, async call => {
    const { project, params, body } = call;
    const teamId = normalizeTeamId(params.team_id);
    await assertReachable(deps, call, teamId, toInvite);
    assertTrustedUrl(body.callback_url, project.config);
    const { id } = params;
    const [open] = await selectOpenInvitations(deps.db, project.id, { teamId, id, nowMillis: deps.clock.now() });
    if (open === undefined) fail('VERIFICATION_CODE_NOT_FOUND');
    await deps.rateLimits.spend(mailUses(call, open.recipientEmail, 'invitation'));
    const invitation = {
      id,
      teamId,
      address: open.recipientEmail,
      callbackUrl: body.callback_url,
      countsInQuota: !call.source.isOwnMachine,
      inviterId: open.inviterId ?? undefined,
      roleId: open.roleId ?? undefined,
    };
    return { success: true, id: await inviteAgain(call, invitation, deps) } as const;
  });
}

/**
 * Where the project binds invitations to their address, only a user who holds the address as a verified contact channel
 * can accept one (docs/contract/decisions.md#team-invitations).
 *
 * @throws a text 403
 */
async function assertInvited(
  db: Queryable,
  project: Project,
  { userId, address }: { userId: string; address: string | null },
): Promise<void> {
  if (!project.config.invitationsBoundToAddress) return;
  if (address !== null && (await hasVerifiedAddress(db, project.id, { userId, address }))) return;
  refuse(403, 'This invitation was sent to another email address. Sign in with that address, or verify it first.');
}

/** Checks that a client is a member with the permissions, and that the team exists. */
async function assertReachable(
  deps: InvitationRoutesDeps,
  caller: TeamCaller,
  teamId: string,
  need: Need,
): Promise<void> {
  await assertClientMay(deps, caller, teamId, need);
  if ((await selectTeam(deps.db, caller.project.id, teamId)) === undefined) failNoTeam(caller, teamId);
}

async function findInvitedTeam(db: Queryable, projectId: string, teamId: string): Promise<Team> {
  return (await selectTeam(db, projectId, teamId)) ?? fail('TEAM_NOT_FOUND', { team_id: teamId });
}
