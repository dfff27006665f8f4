import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayName, listOf, noQuery, profileImageUrl, userIdOrMe, uuid } from '../../fields/fields.ts';
import { serverUser } from '../accounts/users.ts';

/** docs/contract/teams.md#member-profiles: name and image of a user inside one team. */
const clientMemberProfile = z.strictObject({
  team_id: uuid,
  user_id: uuid,
  display_name: z.string().nullable(),
  profile_image_url: z.string().nullable(),
});

const serverMemberProfile = clientMemberProfile.extend({ user: serverUser });

const profileView = { client: clientMemberProfile, server: serverMemberProfile } as const;
const params = z.strictObject({ team_id: uuid, user_id: userIdOrMe });

/** docs/contract/teams.md#member-profiles */
export const teamMemberProfileEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/team-member-profiles',
    access: 'client',
    query: z.strictObject({ team_id: uuid.optional(), user_id: userIdOrMe.optional() }),
    response: { client: listOf(clientMemberProfile), server: listOf(serverMemberProfile) },
    summary: 'List member profiles in the order of joining; clients need $read_members for others',
    tag: 'Teams',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'TEAM_PERMISSION_REQUIRED',
      'TEAM_NOT_FOUND',
      'USER_NOT_FOUND',
    ],
  }),
  read: endpoint({
    method: 'GET',
    path: '/team-member-profiles/{team_id}/{user_id}',
    access: 'client',
    params,
    query: noQuery,
    response: profileView,
    summary: 'Read a member profile; clients need $read_members for others',
    tag: 'Teams',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'TEAM_PERMISSION_REQUIRED',
      'USER_NOT_FOUND',
    ],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/team-member-profiles/{team_id}/{user_id}',
    access: 'client',
    params,
    query: noQuery,
    // An override of the name cannot be removed; null removes that of the image.
    largeBody: true,
    body: z.strictObject({ display_name: displayName.optional(), profile_image_url: profileImageUrl.optional() }),
    response: profileView,
    summary: 'Change name and image inside a team; clients only their own',
    tag: 'Teams',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'TEAM_MEMBERSHIP_NOT_FOUND', 'USER_NOT_FOUND'],
  }),
};
