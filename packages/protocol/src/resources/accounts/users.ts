import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  credentialErrors,
  displayName,
  email,
  json,
  millis,
  noQuery,
  pageOf,
  password,
  primaryEmail,
  profileImageUrl,
  success,
  totpSecret,
  uuid,
} from '../../fields/fields.ts';
import { providerAccountIdMaxLength, usersPageMax } from '../../limits.ts';
import { clientTeam, serverTeam } from '../teams/teams.ts';

const oauthProvider = z.strictObject({ id: z.string(), account_id: z.string(), email: z.string().nullable() });

/** docs/contract/users.md#user-object: the client view has exactly these 17 keys. */
const clientUser = z.strictObject({
  id: uuid,
  primary_email: z.string().nullable(),
  primary_email_verified: z.boolean(),
  display_name: z.string().nullable(),
  client_metadata: json,
  client_read_only_metadata: json,
  profile_image_url: z.string().nullable(),
  signed_up_at_millis: millis,
  has_password: z.boolean(),
  auth_with_email: z.boolean(),
  oauth_providers: z.array(oauthProvider),
  selected_team_id: uuid.nullable(),
  selected_team: clientTeam.nullable(),
  requires_totp_mfa: z.boolean(),
  otp_auth_enabled: z.boolean(),
  passkey_auth_enabled: z.boolean(),
  is_anonymous: z.boolean(),
});

export const serverUser = clientUser.extend({
  selected_team: serverTeam.nullable(),
  primary_email_auth_enabled: z.boolean(),
  server_metadata: json,
  last_active_at_millis: millis,
});

const oauthAccount = z.strictObject({
  id: z.string().min(1),
  account_id: z.string().min(1).max(providerAccountIdMaxLength),
  email: email.nullable().optional(),
});

const clientChanges = z.strictObject({
  display_name: displayName.nullable().optional(),
  profile_image_url: profileImageUrl.optional(),
  client_metadata: json.optional(),
  selected_team_id: uuid.nullable().optional(),
  otp_auth_enabled: z.boolean().optional(),
  passkey_auth_enabled: z.boolean().optional(),
  totp_secret_base64: totpSecret.nullable().optional(),
});

const serverOnly = z.strictObject({
  primary_email: primaryEmail.nullable().optional(),
  primary_email_verified: z.boolean().optional(),
  primary_email_auth_enabled: z.boolean().optional(),
  client_read_only_metadata: json.optional(),
  server_metadata: json.optional(),
  password: password.nullable().optional(),
  password_hash: z.string().min(1).optional(),
});

const serverChanges = clientChanges.extend({ ...serverOnly.shape, is_anonymous: z.literal(false).optional() });

const newUser = clientChanges.omit({ selected_team_id: true }).extend({
  ...serverOnly.shape,
  is_anonymous: z.boolean().optional(),
  oauth_providers: z.array(oauthAccount).max(100).optional(),
});

const listQuery = z.strictObject({
  limit: z.number().int().min(1).max(usersPageMax).optional(),
  cursor: uuid.optional(),
  order_by: z.literal('signed_up_at').optional(),
  desc: z.boolean().optional(),
  query: z.string().max(1000).optional(),
  team_id: uuid.optional(),
});

const userPage = pageOf(serverUser, uuid);

const userView = { client: clientUser, server: serverUser } as const;
const userChanges = { client: clientChanges, server: serverChanges } as const;

const userParams = z.strictObject({ user_id: uuid });

/** docs/contract/users.md#user-endpoints */
export const userEndpoints = {
  readMe: endpoint({
    method: 'GET',
    path: '/users/me',
    access: 'client',
    query: noQuery,
    response: userView,
    summary: 'Read the signed-in user',
    tag: 'Users',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER'],
  }),
  updateMe: endpoint({
    method: 'PATCH',
    path: '/users/me',
    access: 'client',
    query: noQuery,
    largeBody: true,
    body: userChanges,
    response: userView,
    summary: 'Change the signed-in user',
    tag: 'Users',
    errors: [
      'CANNOT_GET_OWN_USER_WITHOUT_USER',
      ...credentialErrors,
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'USER_EMAIL_ALREADY_EXISTS',
      'PASSWORD_REQUIREMENTS_NOT_MET',
    ],
  }),
  deleteMe: endpoint({
    method: 'DELETE',
    path: '/users/me',
    access: 'client',
    query: noQuery,
    response: success,
    recordsItsChange: true,
    summary: 'Delete the signed-in user',
    tag: 'Users',
    errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'REAUTHENTICATION_REQUIRED'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/users',
    access: 'server',
    endedSession: 'ignored',
    query: listQuery,
    response: userPage,
    summary: 'List and search users, oldest first',
    tag: 'Users',
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/users',
    access: 'server',
    endedSession: 'ignored',
    query: noQuery,
    largeBody: true,
    body: newUser,
    response: serverUser,
    status: 201,
    recordsItsChange: true,
    summary: 'Create a user',
    tag: 'Users',
    errors: [
      'USER_EMAIL_ALREADY_EXISTS',
      'OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER',
      'PASSWORD_REQUIREMENTS_NOT_MET',
    ],
  }),
  read: endpoint({
    method: 'GET',
    path: '/users/{user_id}',
    access: 'server',
    endedSession: 'ignored',
    params: userParams,
    query: noQuery,
    response: serverUser,
    summary: 'Read a user',
    tag: 'Users',
    errors: ['USER_NOT_FOUND'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/users/{user_id}',
    access: 'server',
    endedSession: 'ignored',
    params: userParams,
    query: noQuery,
    largeBody: true,
    body: serverChanges,
    response: serverUser,
    summary: 'Change a user',
    tag: 'Users',
    errors: [
      'USER_NOT_FOUND',
      'TEAM_MEMBERSHIP_NOT_FOUND',
      'USER_EMAIL_ALREADY_EXISTS',
      'PASSWORD_REQUIREMENTS_NOT_MET',
    ],
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/users/{user_id}',
    access: 'server',
    endedSession: 'ignored',
    params: userParams,
    query: noQuery,
    response: success,
    recordsItsChange: true,
    summary: 'Delete a user and all data of the user',
    tag: 'Users',
    errors: ['USER_NOT_FOUND'],
  }),
};
