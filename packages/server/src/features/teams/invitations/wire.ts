import type { Invitation } from './store.ts';

/** docs/contract/teams.md#team-invitations */
export function toTeamInvitation({ id, teamId, expiresAtMillis, recipientEmail }: Invitation) {
  return { id, team_id: teamId, expires_at_millis: expiresAtMillis, recipient_email: recipientEmail };
}

/** docs/contract/decisions.md#team-roles */
export function toOpenInvitation(invitation: Invitation) {
  return {
    id: invitation.id,
    recipient_email: invitation.recipientEmail,
    role_id: invitation.roleId,
    invited_by: invitation.inviterName,
    expires_at_millis: invitation.expiresAtMillis,
  };
}
