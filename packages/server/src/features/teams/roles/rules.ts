import { defaultTeamRoles, fail } from '@tessera/protocol';
import type { Membership } from '../rules.ts';

/** All permissions that direct ones hold. */
type Expand = (permissionIds: readonly string[]) => ReadonlySet<string>;

/** The permissions of some members of a team, for decisions about roles. */
export interface RoleFacts {
  /** The direct permissions of each of these members. */
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
  /** Whether the member is the last administrator of a team with other members. */
  readonly needsSuccessor: boolean;
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
  if (!staysAdministrator && change.needsSuccessor) fail('LAST_TEAM_ADMIN', { team_id: teamId, user_id: userId });
  return { revoke, grant: [roleId] };
}

/**
 * Checks the removal of a member: the last administrator is not removed, and leaves only with a successor.
 *
 * @returns the member who becomes an administrator; undefined when none is needed
 * @throws LAST_TEAM_ADMIN
 */
export function planRemoval(
  removal: Omit<Change, 'facts'> & { readonly callerId: string; readonly successorId: string | undefined },
): { readonly successorId: string; readonly roleId: string } | undefined {
  const { teamId, userId, callerId, successorId, roles, needsSuccessor } = removal;
  const [roleId] = roles;
  if (roleId === undefined || !needsSuccessor) return undefined;
  // Only an administrator may appoint one, and this one is the last.
  const canAppoint = callerId === userId && successorId !== undefined && successorId !== userId;
  if (!canAppoint) fail('LAST_TEAM_ADMIN', { team_id: teamId, user_id: userId });
  return { successorId, roleId };
}
