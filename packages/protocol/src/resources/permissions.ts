import * as z from 'zod';
import { isSystemPermissionId, type PermissionScope } from '../access/permissions.ts';
import { endpoint } from '../endpoint.ts';
import { listOf, noQuery, success, userIdOrMe, uuid } from '../fields/fields.ts';
import { descriptionMaxLength, permissionIdMaxLength, permissionIdsMax } from '../limits.ts';

const customId = /^[a-z0-9_:]+$/;

/** docs/contract/permissions.md#permission-ids: the ids that a definition may have. */
const customPermissionId = z
  .string()
  .max(permissionIdMaxLength)
  .regex(customId, 'must consist of the characters a-z, 0-9, _ and :')
  .meta({ example: 'billing:read' });

/** docs/contract/permissions.md#permission-ids: one of these, or a system permission. */
export const permissionId = z
  .string()
  .max(permissionIdMaxLength)
  .refine(
    value => customId.test(value) || isSystemPermissionId(value),
    'must consist of the characters a-z, 0-9, _ and :, or be a system permission',
  )
  .meta({ example: '$read_members' });

const definition = z.strictObject({
  id: z.string(),
  description: z.string().min(1).optional(),
  contained_permission_ids: z.array(z.string()),
});

const teamGrant = z.strictObject({ id: z.string(), user_id: uuid, team_id: uuid });
const projectGrant = z.strictObject({ id: z.string(), user_id: uuid });

const definitionFields = {
  id: customPermissionId,
  description: z.string().max(descriptionMaxLength).optional(),
  contained_permission_ids: z.array(permissionId).max(permissionIdsMax).optional(),
};

const grantFilter = {
  user_id: userIdOrMe.optional(),
  permission_id: permissionId.optional(),
  recursive: z.boolean().optional().meta({ description: 'Whether contained permissions are listed too.' }),
};

const noFields = z.strictObject({});
const definitionParams = z.strictObject({ id: permissionId });
const teamGrantParams = z.strictObject({ team_id: uuid, user_id: userIdOrMe, permission_id: permissionId });
const projectGrantParams = z.strictObject({ user_id: userIdOrMe, permission_id: permissionId });

/** docs/contract/permissions.md#definitions: the same for both scopes. */
function definitionEndpoints<const Scope extends PermissionScope>(scope: Scope) {
  return {
    list: endpoint({
      method: 'GET',
      path: `/${scope}-permission-definitions`,
      access: 'admin',
      query: noQuery,
      response: listOf(definition),
      summary: `List the ${scope} permissions that are defined, by id`,
      tag: 'Permissions',
      errors: [],
    }),
    create: endpoint({
      method: 'POST',
      path: `/${scope}-permission-definitions`,
      access: 'admin',
      query: noQuery,
      largeBody: true,
      body: z.strictObject(definitionFields),
      response: definition,
      status: 201,
      summary: `Define a ${scope} permission`,
      tag: 'Permissions',
      errors: ['PERMISSION_ID_ALREADY_EXISTS', 'CONTAINED_PERMISSION_NOT_FOUND'],
    }),
    update: endpoint({
      method: 'PATCH',
      path: `/${scope}-permission-definitions/{id}`,
      access: 'admin',
      params: definitionParams,
      query: noQuery,
      largeBody: true,
      body: z.strictObject(definitionFields).partial(),
      response: definition,
      summary: `Change a ${scope} permission; a new id is written wherever the old one was granted or contained`,
      tag: 'Permissions',
      errors: ['PERMISSION_NOT_FOUND', 'PERMISSION_ID_ALREADY_EXISTS', 'CONTAINED_PERMISSION_NOT_FOUND'],
    }),
    delete: endpoint({
      method: 'DELETE',
      path: `/${scope}-permission-definitions/{id}`,
      access: 'admin',
      params: definitionParams,
      query: noQuery,
      response: success,
      summary: `Delete a ${scope} permission with its grants`,
      tag: 'Permissions',
      errors: ['PERMISSION_NOT_FOUND'],
    }),
  };
}

export const teamPermissionDefinitionEndpoints = definitionEndpoints('team');
export const projectPermissionDefinitionEndpoints = definitionEndpoints('project');

/** docs/contract/permissions.md#grants */
export const teamPermissionEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/team-permissions',
    access: 'client',
    query: z.strictObject({ team_id: uuid.optional(), ...grantFilter }),
    response: listOf(teamGrant),
    summary: 'List permissions in teams, by team, user and id: for clients those of the signed-in user',
    tag: 'Permissions',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  grant: endpoint({
    method: 'POST',
    path: '/team-permissions/{team_id}/{user_id}/{permission_id}',
    access: 'server',
    params: teamGrantParams,
    query: noQuery,
    body: noFields,
    response: teamGrant,
    status: 201,
    summary: 'Grant a permission to a member of a team',
    tag: 'Permissions',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'USER_NOT_FOUND',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'PERMISSION_NOT_FOUND',
      'WRONG_PERMISSION_SCOPE',
    ],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/team-permissions/{team_id}/{user_id}/{permission_id}',
    access: 'server',
    params: teamGrantParams,
    query: noQuery,
    response: success,
    summary: 'Revoke a permission that a member was granted directly',
    tag: 'Permissions',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'USER_NOT_FOUND',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'TEAM_PERMISSION_NOT_FOUND',
    ],
  }),
};

/** docs/contract/permissions.md#grants */
export const projectPermissionEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/project-permissions',
    access: 'client',
    query: z.strictObject(grantFilter),
    response: listOf(projectGrant),
    summary: 'List permissions in the project, by user and id: for clients those of the signed-in user',
    tag: 'Permissions',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  grant: endpoint({
    method: 'POST',
    path: '/project-permissions/{user_id}/{permission_id}',
    access: 'server',
    params: projectGrantParams,
    query: noQuery,
    body: noFields,
    response: projectGrant,
    status: 201,
    summary: 'Grant a permission to a user',
    tag: 'Permissions',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_NOT_FOUND', 'PERMISSION_NOT_FOUND', 'WRONG_PERMISSION_SCOPE'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/project-permissions/{user_id}/{permission_id}',
    access: 'server',
    params: projectGrantParams,
    query: noQuery,
    response: success,
    summary: 'Revoke a permission that a user was granted directly',
    tag: 'Permissions',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_NOT_FOUND', 'PERMISSION_NOT_FOUND'],
  }),
};
