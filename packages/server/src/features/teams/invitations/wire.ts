import type { Invitation } from './store.ts';

/** docs/contract/teams.md#team-invitations */
export function toTeamInvitation({ id, teamId, expiresAtMillis, recipientEmail }: Invitation) {
  return { id, team_id: teamId, expires_at_millis: expiresAtMillis, recipient_email: recipientEmail };
}
