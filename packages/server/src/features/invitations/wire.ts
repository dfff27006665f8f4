import type { Invitation } from './store.ts';

/** teams.md 4 */
export function teamInvitation({ id, teamId, expiresAtMillis, recipientEmail }: Invitation) {
  return { id, team_id: teamId, expires_at_millis: expiresAtMillis, recipient_email: recipientEmail };
}
