import { fail, teamRoleEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { mailUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { normalizedEmail } from '../../accounts/users/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import { type PermissionDefinitions, readTeamGrants } from '../../permissions/index.ts';
import { assertTrustedUrl } from '../../projects/index.ts';
import { checkCode } from '../../verification-codes/index.ts';
import { assertMember, isAssignable, normalizeTeamId, requireSignedIn, rolesOf, selectTeam } from '../index.ts';
import { invite } from './invite.ts';
import { selectOpenInvitations } from './store.ts';
import { toOpenInvitation } from './wire.ts';

interface RoleInvitationRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly permissionDefinitions: PermissionDefinitions;
  readonly mail: Mail;
  readonly rateLimits: RateLimits;
}

/** docs/contract/decisions.md#team-roles: invitations with a role, and what their email says. */
export function roleInvitationRoutes(deps: RoleInvitationRoutesDeps): BoundRoute[] {
  return [
    bind(teamRoleEndpoints.listInvitations, async call => {
      const { project } = call;
      const user = requireSignedIn(call);
      const teamId = normalizeTeamId(call.params.team_id);
      await assertMember(deps, project.id, { teamId, userId: user.id }, ['$read_members', '$invite_members']);
      const open = await selectOpenInvitations(deps.db.reads, project.id, { teamId, nowMillis: deps.clock.now() });
      return { items: open.map(toOpenInvitation), is_paginated: false } as const;
    }),

    bind(teamRoleEndpoints.invite, async call => {
      const { project, body } = call;
      const user = requireSignedIn(call);
      const teamId = normalizeTeamId(call.params.team_id);
      await assertMember(deps, project.id, { teamId, userId: user.id }, ['$invite_members']);
      if (body.role_id !== undefined) {
        await assertMayAssign(deps.db, project, { teamId, userId: user.id, roleId: body.role_id });
      }
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
          inviterId: user.id,
          roleId: body.role_id,
        },
        deps,
      );
      return { id };
    }),

    bind(teamRoleEndpoints.readInvitation, async call => {
      const { project, body } = call;
      const presented = { projectId: project.id, kind: 'team_invitation', code: body.code, by: call } as const;
      const { id, data } = await checkCode(presented, deps);
      const { teamId } = data;
      const team = (await selectTeam(deps.db, project.id, teamId)) ?? fail('TEAM_NOT_FOUND', { team_id: teamId });
      const [open] = await selectOpenInvitations(deps.db, project.id, { teamId, id, nowMillis: deps.clock.now() });
      if (open === undefined) fail('VERIFICATION_CODE_NOT_FOUND');
      return {
        team_id: team.id,
        team_display_name: team.displayName,
        team_profile_image_url: team.profileImageUrl,
        invited_by: open.inviterName,
        recipient_email: open.recipientEmail,
        role_id: open.roleId,
        expires_at_millis: open.expiresAtMillis,
      };
    }),
  ];
}

/** @throws TEAM_ROLE_NOT_ASSIGNABLE */
async function assertMayAssign(
  db: Database,
  project: { readonly id: string; readonly config: Parameters<typeof rolesOf>[0] },
  { teamId, userId, roleId }: { teamId: string; userId: string; roleId: string },
): Promise<void> {
  const { direct, expand } = await readTeamGrants(db, project.id, { teamId, userIds: [userId] });
  const held = expand(direct.get(userId) ?? []);
  if (isAssignable(roleId, { roles: rolesOf(project.config, expand), held, expand })) return;
  fail('TEAM_ROLE_NOT_ASSIGNABLE', { team_id: teamId, permission_id: roleId });
}
