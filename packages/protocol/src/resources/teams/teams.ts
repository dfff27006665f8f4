import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  displayName,
  json,
  listOf,
  millis,
  noQuery,
  pageOf,
  profileImageUrl,
  success,
  url,
  userIdOrMe,
  uuid,
} from '../../fields/fields.ts';
import { teamListPageDefault, teamListPageMax } from '../../limits.ts';

/** docs/contract/teams.md#teams: a team in the client view. */
export const clientTeam = z.strictObject({
  id: uuid,
  display_name: z.string(),
  profile_image_url: z.string().nullable(),
  client_metadata: json,
  client_read_only_metadata: json,
});

export const serverTeam = clientTeam.extend({
  server_metadata: json,
  created_at_millis: millis,
});

const clientChanges = z.strictObject({
  display_name: displayName.optional(),
  profile_image_url: profileImageUrl.optional(),
  client_metadata: json.optional(),
});

const serverChanges = clientChanges.extend({
  client_read_only_metadata: json.optional(),
  server_metadata: json.optional(),
});

/** A new team needs a name. Its creator is written once and never returned. */
const creation = { display_name: displayName, creator_user_id: userIdOrMe.optional() };

const teamView = { client: clientTeam, server: serverTeam } as const;
const params = z.strictObject({ team_id: uuid });

/** docs/contract/teams.md#teams */
export const teamEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/teams',
    access: 'client',
    query: z.strictObject({ user_id: userIdOrMe.optional() }),
    response: { client: listOf(clientTeam), server: listOf(serverTeam) },
    summary: 'List teams, oldest first: for clients those of the signed-in user',
    tag: 'Teams',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/teams',
    access: 'client',
    query: z.strictObject({
      add_current_user: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'Deprecated: use `creator_user_id`.', deprecated: true }),
    }),
    largeBody: true,
    body: { client: clientChanges.extend(creation), server: serverChanges.extend(creation) },
    response: teamView,
    status: 201,
    summary: 'Create a team; a client becomes its creator and first member',
    tag: 'Teams',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_AUTHENTICATION_REQUIRED', 'USER_NOT_FOUND'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/teams/{team_id}',
    access: 'client',
    params,
    query: noQuery,
    response: teamView,
    summary: 'Read a team; clients must be members',
    tag: 'Teams',
    errors: ['USER_AUTHENTICATION_REQUIRED', 'TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_NOT_FOUND'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/teams/{team_id}',
    access: 'client',
    params,
    query: noQuery,
    largeBody: true,
    body: { client: clientChanges, server: serverChanges },
    response: teamView,
    summary: 'Change a team; clients need $update_team',
    tag: 'Teams',
    errors: ['USER_AUTHENTICATION_REQUIRED', 'TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_PERMISSION_REQUIRED', 'TEAM_NOT_FOUND'],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/teams/{team_id}',
    access: 'client',
    params,
    query: noQuery,
    response: success,
    summary: 'Delete a team with its memberships and API keys; clients need $delete_team',
    tag: 'Teams',
    errors: ['USER_AUTHENTICATION_REQUIRED', 'TEAM_MEMBERSHIP_NOT_FOUND', 'TEAM_PERMISSION_REQUIRED', 'TEAM_NOT_FOUND'],
  }),
};

/** Extension: the teams of a project in pages, for its owners (docs/contract/teams.md#the-list-for-owners). */
export const teamListEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/internal/extensions/teams',
    access: 'admin',
    query: z.strictObject({
      query: z.string().max(1000).optional().meta({ description: 'A part of a name, or a whole id.' }),
      order: z.enum(['newest', 'oldest', 'name']).optional().meta({ default: 'newest' }),
      limit: z.number().int().min(1).max(teamListPageMax).optional().meta({ default: teamListPageDefault }),
      cursor: uuid.optional().meta({ description: 'Of the first team of the wanted page.' }),
    }),
    response: pageOf(serverTeam, uuid),
    summary: 'List teams in pages, by name or time; a page after a deleted team is empty',
    tag: 'extension',
    errors: [],
  }),
  sendInvitationAgain: endpoint({
    method: 'POST',
    path: '/internal/extensions/teams/{team_id}/invitations/{id}/send-again',
    access: 'admin',
    params: z.strictObject({ team_id: uuid, id: uuid }),
    query: noQuery,
    body: z.strictObject({ callback_url: url }),
    response: z.strictObject({ success: z.literal(true), id: uuid }),
    summary: 'Send an open invitation of a team again, with a new code in place of the old one',
    tag: 'extension',
    errors: ['TEAM_NOT_FOUND', 'VERIFICATION_CODE_NOT_FOUND', 'REDIRECT_URL_NOT_WHITELISTED'],
  }),
};
