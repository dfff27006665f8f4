import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  code,
  codeErrors,
  listOf,
  millis,
  noQuery,
  pageCursor,
  pageOf,
  primaryEmail,
  success,
  url,
  userIdOrMe,
  uuid,
} from '../../fields/fields.ts';
import { teamMembersPageDefault, teamMembersPageMax } from '../../limits.ts';
import { permissionId } from '../permissions.ts';

const teamParams = z.strictObject({ team_id: uuid });
const memberParams = z.strictObject({ team_id: uuid, user_id: userIdOrMe });

const role = z.strictObject({
  id: z.string().meta({ description: 'The id of a team permission.' }),
  description: z.string().nullable(),
  is_assignable: z.boolean().meta({ description: 'Whether the caller can give this role to a member.' }),
});

const member = z.strictObject({
  user_id: uuid,
  display_name: z.string().nullable(),
  profile_image_url: z.string().nullable(),
  primary_email: z.string().nullable().meta({
    description: 'Only for the caller, and for callers with $remove_members; null for others.',
  }),
  role_ids: z.array(z.string()).meta({ description: 'The roles that were granted directly, the highest first.' }),
  joined_at_millis: millis,
});

const invitation = z.strictObject({
  id: uuid,
  recipient_email: z.string(),
  role_id: z.string().nullable().meta({ description: 'Null: the default permissions of a member.' }),
  invited_by: z.string().nullable().meta({ description: 'Display name of the inviting member, when it has one.' }),
  expires_at_millis: millis,
});

const memberErrors = ['USER_AUTHENTICATION_REQUIRED', 'TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_PERMISSION_REQUIRED'] as const;

/**
 * Extensions: members with their roles, and invitations with a role (docs/contract/decisions.md#team-roles). The caller
 * is the signed-in user at every level.
 */
export const teamRoleEndpoints = {
  listMembers: endpoint({
    method: 'GET',
    path: '/extensions/teams/{team_id}/members',
    access: 'client',
    params: teamParams,
    query: z.strictObject({
      limit: z.number().int().min(1).max(teamMembersPageMax).optional().meta({ default: teamMembersPageDefault }),
      cursor: pageCursor.optional(),
    }),
    response: pageOf(member, z.string()).extend({
      roles: z.array(role).meta({ description: 'The roles of the project, the highest first.' }),
      needs_successor: z.boolean().meta({
        description: 'Whether the caller is the last administrator among several members.',
      }),
    }),
    summary: 'List the members of a team with their roles, in the order of joining; needs $read_members',
    tag: 'extension',
    errors: memberErrors,
  }),
  changeRole: endpoint({
    method: 'PATCH',
    path: '/extensions/teams/{team_id}/members/{user_id}',
    access: 'client',
    params: memberParams,
    body: z.strictObject({ role_id: permissionId }),
    response: success,
    summary: 'Replace the roles of a member; needs $invite_members and $remove_members',
    tag: 'extension',
    errors: [...memberErrors, 'TEAM_ROLE_NOT_ASSIGNABLE', 'LAST_TEAM_ADMIN', 'USER_NOT_FOUND'],
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/extensions/teams/{team_id}/members/{user_id}',
    access: 'client',
    params: memberParams,
    query: z.strictObject({
      successor_user_id: uuid.optional().meta({
        description: 'When the last administrator leaves: the member who becomes an administrator.',
      }),
    }),
    response: success,
    summary:
      'Remove a member, or leave a team; the last administrator names a successor. Removing needs $remove_members',
    tag: 'extension',
    errors: [...memberErrors, 'LAST_TEAM_ADMIN', 'USER_NOT_FOUND'],
  }),
  listInvitations: endpoint({
    method: 'GET',
    path: '/extensions/teams/{team_id}/invitations',
    access: 'client',
    params: teamParams,
    query: noQuery,
    response: listOf(invitation),
    summary: 'List the open invitations of a team with their roles; needs $read_members and $invite_members',
    tag: 'extension',
    errors: memberErrors,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/extensions/teams/{team_id}/invitations',
    access: 'client',
    params: teamParams,
    body: z.strictObject({ email: primaryEmail, callback_url: url, role_id: permissionId.optional() }),
    response: z.strictObject({ id: uuid }),
    summary: 'Invite an address into a team, with a role; needs $invite_members',
    tag: 'extension',
    errors: [...memberErrors, 'TEAM_ROLE_NOT_ASSIGNABLE', 'REDIRECT_URL_NOT_WHITELISTED'],
  }),
  readInvitation: endpoint({
    method: 'POST',
    path: '/extensions/team-invitations/read',
    access: 'client',
    endedSession: 'ignored',
    ignoresIdempotencyKey: true,
    body: z.strictObject({ code }),
    response: z.strictObject({
      team_id: uuid,
      team_display_name: z.string(),
      team_profile_image_url: z.string().nullable(),
      invited_by: z.string().nullable(),
      recipient_email: z.string(),
      role_id: z.string().nullable(),
      expires_at_millis: millis,
    }),
    summary: 'Read what the email of an invitation says, by its code; needs no user',
    tag: 'extension',
    errors: [...codeErrors, 'TEAM_NOT_FOUND'],
  }),
};
