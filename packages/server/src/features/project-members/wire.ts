import type { Answer, projectMemberEndpoints } from '@tessera/protocol';
import type { MemberRow } from '../projects/index.ts';
import type { Invitation } from './store.ts';

type Member = Answer<typeof projectMemberEndpoints.list>['items'][number];

/** docs/contract/projects.md#members-and-roles */
export function toMember(row: MemberRow): Member {
  return {
    user_id: row.userId,
    display_name: row.displayName,
    primary_email: row.primaryEmail,
    profile_image_url: row.profileImageUrl,
    role: row.role,
    joined_at_millis: row.joinedAtMillis,
    last_active_at_millis: row.lastActiveAtMillis,
  };
}

/** docs/contract/projects.md#members-and-roles */
export function toInvitation({ id, recipientEmail, role, createdAtMillis, expiresAtMillis }: Invitation) {
  return {
    id,
    recipient_email: recipientEmail,
    role,
    created_at_millis: createdAtMillis,
    expires_at_millis: expiresAtMillis,
  };
}
