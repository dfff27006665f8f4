import {
  type AccessLevel,
  comparePermissionIds,
  defaultTeamRoles,
  fail,
  isSystemPermissionId,
  type PermissionScope,
  permissionDefinitionsMaxLength,
  type SystemPermissionId,
  systemPermissionIds,
} from '@tessera/protocol';
import { refuse } from '../../http/refusal.ts';
import type { DefinitionRow } from './store.ts';

/** The fields of a definition to write. An undefined field stays unchanged, and is empty in a new definition. */
export interface DefinitionFields {
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  readonly containedPermissionIds?: readonly string[] | undefined;
}

/** The definitions of every new project (docs/contract/projects.md#project-lifecycle). */
export const firstDefinitions: readonly DefinitionRow[] = [
  {
    scope: 'team',
    id: 'team_admin',
    description: 'Manage the team and its members',
    containedPermissionIds: systemPermissionIds,
  },
  {
    scope: 'team',
    id: 'team_member',
    description: 'See the members of the team and invite others',
    containedPermissionIds: ['$invite_members', '$read_members'],
  },
];

const systemDescriptions: Record<SystemPermissionId, string> = {
  $delete_team: 'Delete the team',
  $invite_members: 'Invite people to the team',
  $manage_api_keys: 'Create, see and revoke the API keys of the team',
  $read_members: 'See the other members of the team',
  $remove_members: 'Remove members from the team and revoke invitations',
  $update_team: 'Change the name, image and metadata of the team',
};

/**
 * All permissions of a scope, system permissions included, in list order
 * (docs/contract/permissions.md#definitions).
 */
export function listDefinitions(scope: PermissionScope, definitions: readonly DefinitionRow[]): DefinitionRow[] {
  const system = systemPermissionIds.map(id => ({
    id,
    scope: 'team' as const,
    description: systemDescriptions[id],
    containedPermissionIds: [],
  }));
  return [...system, ...definitions]
    .filter(definition => definition.scope === scope)
    .sort((one, other) => comparePermissionIds(one.id, other.id));
}

/** @throws PERMISSION_ID_ALREADY_EXISTS, CONTAINED_PERMISSION_NOT_FOUND */
export function createDefinition(
  fields: DefinitionFields & { readonly id: string },
  scope: PermissionScope,
  definitions: readonly DefinitionRow[],
): DefinitionRow {
  const { id, description = '', containedPermissionIds = [] } = fields;
  assertFree(id, definitions);
  return {
    id,
    scope,
    description,
    containedPermissionIds: requireExisting(containedPermissionIds, scope, definitions),
  };
}

/**
 * A definition after a change. Contained ids are checked against the ids before the rename, so a definition can contain
 * itself (docs/contract/permissions.md#definitions).
 *
 * @throws PERMISSION_NOT_FOUND, PERMISSION_ID_ALREADY_EXISTS, CONTAINED_PERMISSION_NOT_FOUND
 */
export function applyDefinitionChanges(
  id: string,
  fields: DefinitionFields,
  scope: PermissionScope,
  definitions: readonly DefinitionRow[],
): DefinitionRow {
  const definition = findDefinition(id, scope, definitions);
  const { id: newId = id, description = definition.description, containedPermissionIds } = fields;
  if (newId !== id) assertFree(newId, definitions);
  const contained =
    containedPermissionIds === undefined
      ? definition.containedPermissionIds
      : requireExisting(containedPermissionIds, scope, definitions);
  return { id: newId, scope, description, containedPermissionIds: contained };
}

/**
 * The definitions after a change of one, with its new id in all that contain it.
 */
export function replaceDefinition(
  id: string,
  to: DefinitionRow,
  definitions: readonly DefinitionRow[],
): DefinitionRow[] {
  const rename = (contained: string) => (contained === id ? to.id : contained);
  return definitions
    .map(definition => (definition.id === id ? to : definition))
    .map(one => ({ ...one, containedPermissionIds: one.containedPermissionIds.map(rename) }));
}

/**
 * Bounds what a request of any user of the project may have to load. A project that has more from an earlier version can
 * still make them shorter.
 *
 * @throws a text 400
 */
export function assertDefinitionsFit(before: readonly DefinitionRow[], after: readonly DefinitionRow[]): void {
  const length = JSON.stringify(after).length;
  if (length <= permissionDefinitionsMaxLength || length <= JSON.stringify(before).length) return;
  refuse(
    400,
    `The permission definitions of a project have at most ${permissionDefinitionsMaxLength} characters together.`,
  );
}

/** @throws PERMISSION_NOT_FOUND, also for a permission of the other scope and for a system permission */
export function findDefinition(
  id: string,
  scope: PermissionScope,
  definitions: readonly DefinitionRow[],
): DefinitionRow {
  const found = definitions.find(definition => definition.id === id && definition.scope === scope);
  return found ?? fail('PERMISSION_NOT_FOUND', { permission_id: id });
}

function assertFree(id: string, definitions: readonly DefinitionRow[]): void {
  if (definitions.some(definition => definition.id === id)) fail('PERMISSION_ID_ALREADY_EXISTS', { permission_id: id });
}

/** Checks that the ids exist in the scope, and removes duplicates. */
function requireExisting(
  ids: readonly string[],
  scope: PermissionScope,
  definitions: readonly DefinitionRow[],
): string[] {
  const known = new Set(listDefinitions(scope, definitions).map(({ id }) => id));
  const missing = ids.find(id => !known.has(id));
  if (missing !== undefined) fail('CONTAINED_PERMISSION_NOT_FOUND', { permission_id: missing });
  return [...new Set(ids)];
}

/** The keys of a project's configuration that list permissions: the default sets, and the roles of team members. */
const permissionLists = [
  'teamCreatorDefaultPermissions',
  'teamMemberDefaultPermissions',
  'userDefaultPermissions',
  'teamRoles',
] as const;

/** A stored configuration without the permission in its lists; undefined when no list contains it. */
export function removeFromConfig(config: object, permissionId: string): object | undefined {
  const stored: Record<string, unknown> = { ...config };
  const concerned = permissionLists.filter(key => {
    const list = stored[key];
    return Array.isArray(list) && list.includes(permissionId);
  });
  if (concerned.length === 0) return undefined;
  for (const key of concerned) stored[key] = (stored[key] as unknown[]).filter(id => id !== permissionId);
  return stored;
}

/**
 * A stored configuration whose team roles follow the rename of a permission; undefined when it is no role. The first role
 * administers teams, so its holders must keep it. The default sets do not follow (docs/contract/permissions.md#definitions).
 */
export function renameTeamRole(config: object, { from, to }: { from: string; to: string }): object | undefined {
  const { teamRoles = defaultTeamRoles }: { teamRoles?: unknown } = config;
  if (!Array.isArray(teamRoles) || !teamRoles.includes(from)) return undefined;
  return { ...config, teamRoles: [...new Set(teamRoles.map(id => (id === from ? to : id)))] };
}

/**
 * @param actual the scope of the project's own definition with this id
 * @throws PERMISSION_NOT_FOUND, WRONG_PERMISSION_SCOPE
 */
export function assertGrantable(id: string, expected: PermissionScope, actual: PermissionScope | undefined): void {
  if (expected === 'team' && isSystemPermissionId(id)) return;
  if (actual === undefined) fail('PERMISSION_NOT_FOUND', { permission_id: id });
  if (actual !== expected) {
    fail('WRONG_PERMISSION_SCOPE', { permission_id: id, expected_scope: expected, actual_scope: actual });
  }
}

/** A client lists only its own permissions. @throws CANNOT_GET_OWN_USER_WITHOUT_USER, or a text 403 */
export function assertMayList(
  requester: { readonly level: AccessLevel; readonly userId: string | undefined },
  ofUserId: string | undefined,
): void {
  if (requester.level !== 'client') return;
  if (requester.userId === undefined) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (ofUserId !== requester.userId)
    refuse(403, 'Clients can only list permissions of the signed-in user; send user_id=me.');
}
