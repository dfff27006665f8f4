import type { Answer, teamRoleEndpoints } from '@tessera/protocol';
import { isAssignable, type RoleFacts } from './rules.ts';
import type { MemberRow } from './store.ts';

type MembersView = Answer<typeof teamRoleEndpoints.listMembers>;

/** The caller's view of the roles of a project. */
export function rolesView(
  roles: readonly string[],
  { callerId, facts, descriptions }: { callerId: string; facts: RoleFacts; descriptions: ReadonlyMap<string, string> },
): MembersView['roles'] {
  const held = facts.expand(facts.direct.get(callerId) ?? []);
  return roles.map(id => ({
    id,
    description: descriptions.get(id) || null,
    is_assignable: isAssignable(id, { roles, held, expand: facts.expand }),
  }));
}

/** docs/contract/decisions.md#team-roles */
export function memberView(
  row: MemberRow,
  { roles, facts, seesAddress }: { roles: readonly string[]; facts: RoleFacts; seesAddress: boolean },
): MembersView['items'][number] {
  const direct = facts.direct.get(row.userId) ?? [];
  return {
    user_id: row.userId,
    display_name: row.displayName,
    profile_image_url: row.profileImageUrl,
    primary_email: seesAddress ? row.primaryEmail : null,
    role_ids: roles.filter(id => direct.includes(id)),
    joined_at_millis: row.joinedAtMillis,
  };
}
