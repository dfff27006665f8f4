/**
 * Team scope only; always defined, without contained permissions, and immutable
 * (docs/contract/permissions.md#permission-ids). In the order of the wire.
 */
export const systemPermissionIds = [
  '$delete_team',
  '$invite_members',
  '$manage_api_keys',
  '$read_members',
  '$remove_members',
  '$update_team',
] as const;

export type SystemPermissionId = (typeof systemPermissionIds)[number];

export function isSystemPermissionId(id: string): id is SystemPermissionId {
  return systemPermissionIds.some(known => known === id);
}

export type PermissionScope = 'team' | 'project';

/** Compares ids in the order of lists: upper-cased, by code unit. `$` comes first, `_` after letters. */
export function comparePermissionIds(one: string, other: string): number {
  const [left, right] = [one.toUpperCase(), other.toUpperCase()];
  if (left === right) return one < other ? -1 : Number(one > other);
  return left < right ? -1 : 1;
}

/** The roles of projects that have not set any, the highest first (docs/contract/decisions.md#team-roles). */
export const defaultTeamRoles: readonly string[] = ['team_admin', 'team_member'];
