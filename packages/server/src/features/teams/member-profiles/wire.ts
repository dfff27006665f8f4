import type { Input, teamMemberProfileEndpoints } from '@tessera/protocol';
import type { User } from '../../../core/user.ts';
import { serverUser } from '../../accounts/users/index.ts';
import type { MemberProfile, ProfilePatch } from './store.ts';

/** docs/contract/teams.md#member-profiles: the client view. */
export function clientProfile({ teamId, userId, displayName, profileImageUrl }: MemberProfile) {
  return { team_id: teamId, user_id: userId, display_name: displayName, profile_image_url: profileImageUrl };
}

/** docs/contract/teams.md#member-profiles: the server view, with the full user. */
export function serverProfile(profile: MemberProfile, user: User) {
  return { ...clientProfile(profile), user: serverUser(user) };
}

export function profilePatch(body: Input<typeof teamMemberProfileEndpoints.update>['body']): ProfilePatch {
  return { displayName: body.display_name, profileImageUrl: body.profile_image_url };
}
