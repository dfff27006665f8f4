import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { callbackUrl as callbackUrlFor } from '../../navigation/callback-url.ts';
import type { Session } from '../../session/session.ts';
import type { OpenTeamInvitation, TeamManagement, TeamMember } from './team-management.ts';

type MemberJson = Reply<Routes['GET /extensions/teams/{team_id}/members'], 'client'>['items'][number];
type InvitationJson = Reply<Routes['GET /extensions/teams/{team_id}/invitations'], 'client'>['items'][number];

export function teamManagementFlow(ctx: Context<'client'>, session: Session, teamId: string): TeamManagement {
  const { call, resources } = ctx;
  const params = { team_id: teamId };
  const memberParams = (userId: string) => ({ ...params, user_id: userId });

  return {
    async getMembers({ cursor, limit } = {}) {
      const page = await call('GET /extensions/teams/{team_id}/members', { params, query: { cursor, limit }, session });
      return Object.freeze({
        items: page.items.map(memberFromWire),
        nextCursor: page.pagination.next_cursor,
        roles: page.roles.map(({ id, description, is_assignable: isAssignable }) =>
          Object.freeze({ id, description, isAssignable }),
        ),
        needsSuccessor: page.needs_successor,
      });
    },
    async changeMemberRole(userId, roleId) {
      const body = { role_id: roleId };
      await call('PATCH /extensions/teams/{team_id}/members/{user_id}', {
        params: memberParams(userId),
        body,
        session,
      });
      await resources.renew('teamPermissions', session);
    },
    async removeMember(userId, { successorUserId } = {}) {
      const query = { successor_user_id: successorUserId };
      await call('DELETE /extensions/teams/{team_id}/members/{user_id}', {
        params: memberParams(userId),
        query,
        session,
      });
      const { renew } = resources;
      await Promise.all([renew('memberProfiles', session, teamId), renew('teams', session), renew('user', session)]);
    },
    async getOpenInvitations() {
      const { items } = await call('GET /extensions/teams/{team_id}/invitations', { params, session });
      return items.map(invitationFromWire);
    },
    async revokeInvitation(id) {
      await call('DELETE /team-invitations/{id}', { params: { id }, query: params, session });
      await resources.renew('invitations', session, teamId);
    },
    async inviteMember({ email, roleId, callbackUrl }) {
      const callback_url = callbackUrl ?? callbackUrlFor(ctx, 'teamInvitation', 'callbackUrl');
      const body = { email, callback_url, role_id: roleId };
      await call('POST /extensions/teams/{team_id}/invitations', { params, body, session });
      await resources.renew('invitations', session, teamId);
    },
  };
}

function memberFromWire(wire: MemberJson): TeamMember {
  return Object.freeze({
    userId: wire.user_id,
    displayName: wire.display_name,
    profileImageUrl: wire.profile_image_url,
    primaryEmail: wire.primary_email,
    roleIds: wire.role_ids,
    joinedAt: new Date(wire.joined_at_millis),
  });
}

function invitationFromWire(wire: InvitationJson): OpenTeamInvitation {
  return Object.freeze({
    id: wire.id,
    recipientEmail: wire.recipient_email,
    roleId: wire.role_id,
    invitedBy: wire.invited_by,
    expiresAt: new Date(wire.expires_at_millis),
  });
}
