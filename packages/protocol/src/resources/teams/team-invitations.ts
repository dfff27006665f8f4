import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  code,
  codeErrors,
  codeIsValid,
  listOf,
  millis,
  primaryEmail,
  success,
  url,
  uuid,
} from '../../fields/fields.ts';

/** docs/contract/teams.md#team-invitations */
const teamInvitation = z.strictObject({
  id: uuid,
  team_id: uuid,
  expires_at_millis: millis,
  recipient_email: z.string(),
});

const ofTeam = z.strictObject({ team_id: uuid });
const codeBody = z.strictObject({ code });

/** docs/contract/teams.md#team-invitations */
export const teamInvitationEndpoints = {
  sendCode: endpoint({
    method: 'POST',
    path: '/team-invitations/send-code',
    access: 'client',
    body: z.strictObject({ team_id: uuid, email: primaryEmail, callback_url: url }),
    response: z.strictObject({ success: z.literal(true), id: uuid }),
    summary: 'Invite an address into a team; clients need $invite_members',
    tag: 'Teams',
    errors: [
      'USER_AUTHENTICATION_REQUIRED',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'TEAM_PERMISSION_REQUIRED',
      'TEAM_NOT_FOUND',
      'REDIRECT_URL_NOT_WHITELISTED',
    ],
  }),
  list: endpoint({
    method: 'GET',
    path: '/team-invitations',
    access: 'client',
    query: ofTeam,
    response: listOf(teamInvitation),
    summary: 'List the open invitations of a team, oldest first; clients need $read_members and $invite_members',
    tag: 'Teams',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'TEAM_PERMISSION_REQUIRED',
      'TEAM_NOT_FOUND',
    ],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/team-invitations/{id}',
    access: 'client',
    params: z.strictObject({ id: uuid }),
    query: ofTeam,
    response: success,
    summary: 'Revoke an invitation; clients need $remove_members',
    tag: 'Teams',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'TEAM_PERMISSION_REQUIRED',
      'TEAM_NOT_FOUND',
      'VERIFICATION_CODE_NOT_FOUND',
    ],
  }),
  accept: endpoint({
    method: 'POST',
    path: '/team-invitations/accept',
    access: 'client',
    body: codeBody,
    response: z.strictObject({}),
    summary: 'Join the team of an invitation as the signed-in user',
    tag: 'Teams',
    errors: ['USER_AUTHENTICATION_REQUIRED', ...codeErrors, 'TEAM_NOT_FOUND'],
  }),
  checkCode: endpoint({
    method: 'POST',
    path: '/team-invitations/accept/check-code',
    access: 'client',
    endedSession: 'ignored',
    ignoresIdempotencyKey: true,
    body: codeBody,
    response: codeIsValid,
    summary: 'Check the code of an invitation without using it',
    tag: 'Teams',
    errors: codeErrors,
  }),
  details: endpoint({
    method: 'POST',
    path: '/team-invitations/accept/details',
    access: 'client',
    ignoresIdempotencyKey: true,
    body: codeBody,
    response: z.strictObject({ team_id: uuid, team_display_name: z.string() }),
    summary: 'Read which team an invitation is for, without using it',
    tag: 'Teams',
    errors: ['USER_AUTHENTICATION_REQUIRED', ...codeErrors, 'TEAM_NOT_FOUND'],
  }),
};
