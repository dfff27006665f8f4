import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { groupByScope } from './definitions/definitions.ts';
import { grantTeamPermissions, type Member, revokeTeamPermission, selectTeamGrants } from './grants/team-store.ts';
import { expandPermissions } from './resolve.ts';
import { selectDefinitions } from './store.ts';

/** The direct permissions of the members of a team, and what they contain. */
export interface TeamGrants {
  /** The direct permissions of each member that has any. */
  readonly direct: ReadonlyMap<string, readonly string[]>;
  /** The descriptions of the custom team permissions of the project. */
  readonly descriptions: ReadonlyMap<string, string>;
  /** All permissions that direct ones hold; an undefined permission holds nothing. */
  readonly expand: (permissionIds: readonly string[]) => ReadonlySet<string>;
}

/**
 * Reads the permissions of all members of a team with the definitions, without a cache, so it can run in a transaction.
 * For the management of members, which is rare; `memberPermissions` is for checks.
 */
export async function readTeamGrants(db: Queryable, projectId: string, teamId: string): Promise<TeamGrants> {
  const grants = await selectTeamGrants(db, projectId, { teamId });
  const definitions = await selectDefinitions(db, projectId);
  const graph = groupByScope(definitions).team;
  const direct = new Map<string, string[]>();
  for (const { userId, permissionId } of grants.rows) {
    direct.set(userId, [...(direct.get(userId) ?? []), permissionId]);
  }
  const described = definitions.filter(({ scope }) => scope === 'team');
  return {
    direct,
    descriptions: new Map(described.map(({ id, description }) => [id, description])),
    expand: permissionIds => expandPermissions(permissionIds, graph),
  };
}

/** The team permissions of a project, and what they contain. Without a cache. */
export async function readTeamPermissions(
  db: Queryable,
  projectId: string,
): Promise<{ readonly ids: readonly string[]; readonly expand: TeamGrants['expand'] }> {
  const graph = groupByScope(await selectDefinitions(db, projectId)).team;
  return { ids: graph.ids, expand: permissionIds => expandPermissions(permissionIds, graph) };
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
