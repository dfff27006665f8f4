import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { groupByScope } from './definitions/definitions.ts';
import { grantTeamPermissions, type Member, revokeTeamPermission, selectMemberGrants } from './grants/team-store.ts';
import { expandPermissions, permissionsHolding } from './resolve.ts';
import { selectDefinitions } from './store.ts';

/** The team permissions of a project, and what they contain. */
export interface TeamPermissions {
  /** The descriptions of the custom ones. */
  readonly descriptions: ReadonlyMap<string, string>;
  /** All permissions that direct ones hold; an undefined permission holds nothing. */
  readonly expand: (permissionIds: readonly string[]) => ReadonlySet<string>;
  /** A permission and all that contain it; none for an undefined permission. */
  readonly holding: (permissionId: string) => ReadonlySet<string>;
}

/** The direct permissions of some members of a team, and what they contain. */
export interface TeamGrants extends TeamPermissions {
  /** The direct permissions of each of these members. */
  readonly direct: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the permissions of some members of a team with the definitions, without a cache, so it can run in a transaction.
 * For the management of members, which is rare; `memberPermissions` is for checks.
 */
export async function readTeamGrants(
  db: Queryable,
  projectId: string,
  { teamId, userIds }: { readonly teamId: string; readonly userIds: readonly string[] },
): Promise<TeamGrants> {
  const members = userIds.map(userId => ({ projectId, teamId, userId }));
  const grants = await selectMemberGrants(db, members);
  const direct = new Map(
    members.map(({ userId }, place) => [userId, grants[place]?.rows.map(({ permissionId }) => permissionId) ?? []]),
  );
  return { ...(await readTeamPermissions(db, projectId)), direct };
}

/** Reads the team permissions of a project from the database, not from memory. */
export async function readTeamPermissions(db: Queryable, projectId: string): Promise<TeamPermissions> {
  const definitions = await selectDefinitions(db, projectId);
  const graph = groupByScope(definitions).team;
  const described = definitions.filter(({ scope }) => scope === 'team');
  return {
    descriptions: new Map(described.map(({ id, description }) => [id, description])),
    expand: permissionIds => expandPermissions(permissionIds, graph),
    holding: permissionId => permissionsHolding(permissionId, graph),
  };
}

/** Revokes and grants direct permissions of a member. @returns those that changed */
export async function changeTeamGrants(
  tx: Transaction,
  projectId: string,
  member: Member,
  { revoke, grant }: { readonly revoke: readonly string[]; readonly grant: readonly string[] },
): Promise<{ readonly revoked: readonly string[]; readonly granted: readonly string[] }> {
  const revoked: string[] = [];
  for (const permissionId of revoke) {
    if (await revokeTeamPermission(tx, projectId, { ...member, permissionId })) revoked.push(permissionId);
  }
  const granted = await grantTeamPermissions(tx, projectId, { ...member, permissionIds: grant });
  return { revoked, granted };
}
