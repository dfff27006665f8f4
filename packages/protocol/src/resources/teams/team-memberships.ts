import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { noQuery, success, userIdOrMe, uuid } from '../../fields/fields.ts';

/** docs/contract/teams.md#memberships: all fields of a membership. */
const teamMembership = z.strictObject({ team_id: uuid, user_id: uuid });

const params = z.strictObject({ team_id: uuid, user_id: userIdOrMe });

/** docs/contract/teams.md#memberships */
export const teamMembershipEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/team-memberships/{team_id}/{user_id}',
    access: 'server',
    params,
    query: noQuery,
    body: z.strictObject({}),
    response: teamMembership,
    status: 201,
    summary: 'Add a user to a team, with the default permissions of a member',
    tag: 'Teams',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_NOT_FOUND', 'TEAM_NOT_FOUND', 'TEAM_MEMBERSHIP_ALREADY_EXISTS'],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/team-memberships/{team_id}/{user_id}',
    access: 'client',
    params,
    query: noQuery,
    response: success,
    summary: 'Leave a team, or remove a member; clients need $remove_members for others',
    tag: 'Teams',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'TEAM_PERMISSION_REQUIRED',
      'USER_NOT_FOUND',
      'TEAM_MEMBERSHIP_NOT_FOUND',
    ],
  }),
};
