import { defaultTeamRoles, fail } from '@tessera/protocol';
import type { Membership } from '../rules.ts';

/** All permissions that direct ones hold. */
type Expand = (permissionIds: readonly string[]) => ReadonlySet<string>;

/** The permissions of a team, for decisions about roles. */
export interface RoleFacts {
  /** The direct permissions of each member that has any. */
  readonly direct: ReadonlyMap<string, readonly string[]>;
  readonly expand: Expand;
}

/** The roles of a project, the highest first. Permissions that are not defined are no roles. */
export function rolesOf(
  { teamRoles = defaultTeamRoles }: { readonly teamRoles?: readonly string[] | undefined },
  expand: Expand,
): readonly string[] {
  return teamRoles.filter(id => expand([id]).has(id));
}

/** The members who hold the first role, directly or contained: the administrators. */
function administratorsOf(roles: readonly string[], { direct, expand }: RoleFacts): ReadonlySet<string> {
  const [highest] = roles;
  if (highest === undefined) return new Set();
  return new Set([...direct].filter(([, ids]) => expand(ids).has(highest)).map(([userId]) => userId));
}

/**
 * Whether a member can give a role to others: an administrator any role, another member only a role with permissions
 * that this member has too.
 */
export function isAssignable(
  roleId: string,
  { roles, held, expand }: { roles: readonly string[]; held: ReadonlySet<string>; expand: Expand },
): boolean {
  const [highest] = roles;
  if (highest === undefined || !roles.includes(roleId)) return false;
  return held.has(highest) || [...expand([roleId])].every(id => held.has(id));
}

interface Change extends Membership {
  readonly roles: readonly string[];
  readonly facts: RoleFacts;
  /** The number of members of the team. */
  readonly memberCount: number;
}

/** Whether a member is the last administrator of a team with other members. */
export function needsSuccessor({ userId, roles, facts, memberCount }: Omit<Change, 'teamId'>): boolean {
  const administrators = administratorsOf(roles, facts);
  return memberCount > 1 && administrators.size === 1 && administrators.has(userId);
}

export interface GrantChange {
  readonly revoke: readonly string[];
  readonly grant: readonly string[];
}

/**
 * The grants of a change of role. Permissions that are not roles stay.
 *
 * @throws TEAM_ROLE_NOT_ASSIGNABLE when the caller cannot give the new role or take the present ones, LAST_TEAM_ADMIN
 */
export function planRoleChange(change: Change & { readonly roleId: string; readonly callerId: string }): GrantChange {
  const { teamId, userId, callerId, roleId, roles, facts } = change;
  const held = facts.expand(facts.direct.get(callerId) ?? []);
  const own = facts.direct.get(userId) ?? [];
  const present = own.filter(id => roles.includes(id));
  const blocked = [roleId, ...present].find(id => !isAssignable(id, { roles, held, expand: facts.expand }));
  if (blocked !== undefined) fail('TEAM_ROLE_NOT_ASSIGNABLE', { team_id: teamId, permission_id: blocked });

  const revoke = present.filter(id => id !== roleId);
  const after = [...own.filter(id => !revoke.includes(id)), roleId];
  const staysAdministrator = facts.expand(after).has(roles[0] ?? '');
  if (!staysAdministrator && needsSuccessor(change)) fail('LAST_TEAM_ADMIN', { team_id: teamId, user_id: userId });
  return { revoke, grant: [roleId] };
}

/**
 * Checks the removal of a member: the last administrator is not removed, and leaves only with a successor.
 *
 * @returns the member who becomes an administrator; undefined when none is needed
 * @throws LAST_TEAM_ADMIN
 */
export function planRemoval(
  removal: Change & { readonly callerId: string; readonly successorId: string | undefined },
): { readonly successorId: string; readonly roleId: string } | undefined {
  const { teamId, userId, callerId, successorId, roles } = removal;
  const [roleId] = roles;
  if (roleId === undefined || !needsSuccessor(removal)) return undefined;
  // Only an administrator may appoint one, and this one is the last.
  const canAppoint = callerId === userId && successorId !== undefined && successorId !== userId;
  if (!canAppoint) fail('LAST_TEAM_ADMIN', { team_id: teamId, user_id: userId });
  return { successorId, roleId };
}
