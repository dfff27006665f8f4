import {
  type Answer,
  comparePermissionIds,
  type teamPermissionDefinitionEndpoints,
  type teamPermissionEndpoints,
} from '@tessera/protocol';
import type { DefinitionFields } from './rules.ts';
import type { DefinitionRow } from './store.ts';

/** docs/contract/permissions.md#definitions: without `description` when it has none. */
export function toDefinition({
  id,
  description,
  containedPermissionIds,
}: DefinitionRow): Answer<typeof teamPermissionDefinitionEndpoints.create> {
  const contained_permission_ids = [...containedPermissionIds].sort(comparePermissionIds);
  return description === '' ? { id, contained_permission_ids } : { id, description, contained_permission_ids };
}

interface DefinitionBody {
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  readonly contained_permission_ids?: readonly string[] | undefined;
}

export function toDefinitionFields({ id, description, contained_permission_ids }: DefinitionBody): DefinitionFields {
  return { id, description, containedPermissionIds: contained_permission_ids };
}

/** Used in answers and webhooks. */
export function toTeamGrant(grant: {
  permissionId: string;
  userId: string;
  teamId: string;
}): Answer<typeof teamPermissionEndpoints.grant> {
  return { id: grant.permissionId, user_id: grant.userId, team_id: grant.teamId };
}

/** Used in answers and webhooks. */
export function toProjectGrant({ permissionId, userId }: { permissionId: string; userId: string }) {
  return { id: permissionId, user_id: userId };
}
