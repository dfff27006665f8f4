import type { Project } from '../../core/project.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import type { PermissionDefinitions } from './definitions/definitions.ts';
import { grantProjectPermissions } from './grants/project-store.ts';
import { grantTeamPermissions, selectTeamGrants } from './grants/team-store.ts';
import { expandPermissions, permissionsHolding } from './resolve.ts';

/** What resolving permissions needs. Do not resolve inside a transaction: it may take another connection. */
export interface PermissionDeps {
  readonly db: Queryable;
  readonly permissionDefinitions: PermissionDefinitions;
}

/** Grants the default permissions of a new user (docs/contract/permissions.md#default-sets). */
export async function grantProjectDefaults(tx: Transaction, project: Project, userId: string): Promise<void> {
  const permissionIds = project.config.userDefaultPermissions;
  if (permissionIds.length === 0) return;
  await grantProjectPermissions(tx, project.id, { userId, permissionIds });
}

/**
 * Grants the default permissions of a new member, as the creator of the team or as an added member. Sends no webhook,
 * since only some endpoints send one (docs/contract/permissions.md#default-sets).
 *
 * @returns the granted permissions, in the order of the set
 */
export async function grantTeamDefaults(
  tx: Transaction,
  project: Project,
  { teamId, userId, as }: { teamId: string; userId: string; as: 'creator' | 'member' },
): Promise<string[]> {
  const { teamCreatorDefaultPermissions, teamMemberDefaultPermissions } = project.config;
  const permissionIds = as === 'creator' ? teamCreatorDefaultPermissions : teamMemberDefaultPermissions;
  if (permissionIds.length === 0) return [];
  return grantTeamPermissions(tx, project.id, { teamId, userId, permissionIds });
}

/** All permissions of a team member, granted or contained at any depth; empty for a user who is not a member. */
export async function memberPermissions(
  deps: PermissionDeps,
  projectId: string,
  teamId: string,
  userId: string,
): Promise<ReadonlySet<string>> {
  const { rows, definitions } = await deps.permissionDefinitions.readMember(projectId, { teamId, userId });
  const direct = rows.map(grant => grant.permissionId);
  return expandPermissions(direct, definitions.team);
}

/** The members of a team who hold a permission, granted or contained. */
export async function membersWithPermission(
  deps: PermissionDeps,
  projectId: string,
  { teamId, permissionId }: { teamId: string; permissionId: string },
): Promise<string[]> {
  const { rows, definitions } = await deps.permissionDefinitions.readWith(projectId, () =>
    selectTeamGrants(deps.db, projectId, { teamId }),
  );
  const holding = permissionsHolding(permissionId, definitions.team);
  const holders = rows.filter(grant => holding.has(grant.permissionId));
  return [...new Set(holders.map(({ userId }) => userId))];
}
