import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  displayName,
  json,
  listOf,
  millis,
  noQuery,
  pageCursor,
  pageOf,
  primaryEmail,
  profileImageUrl,
  success,
  url,
  uuid,
} from '../../fields/fields.ts';
import {
  impersonationReasonMaxLength,
  impersonationReasonMinLength,
  importBatchMax,
  passwordHashMaxLength,
  providerAccountIdMaxLength,
  userAccessRecentSignInMs,
  userFilterPageDefault,
  userFilterPageMax,
} from '../../limits.ts';
import { oauthProviderIds } from '../../providers.ts';
import { emailCodeState } from '../sign-in/otp.ts';
import { serverUser } from './users.ts';

const cursor = pageCursor.meta({ description: 'Of the first user of the wanted page.' });

const signInMethods: ReadonlySet<string> = new Set(['password', 'otp', 'passkey', ...oauthProviderIds]);

const filters = {
  desc: z.boolean().optional().meta({ description: 'Newest first. Default false.' }),
  query: z.string().max(1000).optional().meta({ description: 'A part of a name or address, or a whole id.' }),
  team_id: uuid.optional(),
  method: z
    .string()
    .refine(method => signInMethods.has(method), 'must be password, otp, passkey, or the id of an OAuth provider')
    .optional()
    .meta({
      description:
        '`password`, `otp` (a code can sign in, also before the first one), `passkey`, or the id of an OAuth provider.',
    }),
  has_second_factor: z.boolean().optional(),
  is_verified: z.boolean().optional().meta({ description: 'Whether the primary email address is verified.' }),
  is_anonymous: z.boolean().optional(),
  is_suspended: z.boolean().optional(),
  active_from_millis: millis.optional().meta({ description: 'Last active at this time or later.' }),
  active_to_millis: millis.optional().meta({ description: 'Last active before this time.' }),
  signed_up_from_millis: millis.optional().meta({ description: 'Signed up at this time or later.' }),
  signed_up_to_millis: millis.optional().meta({ description: 'Signed up before this time.' }),
};

const listedUser = serverUser.extend({
  email_code: emailCodeState,
  suspended_at_millis: millis.nullable(),
  was_active: z.boolean().meta({
    description:
      'Whether `last_active_at_millis` is an activity. False: the user never had a session, and it is the sign-up.',
  }),
});

/** A user of another system. Every field is optional, but a user needs a name or an address. */
export const importedUser = z.strictObject({
  display_name: displayName.nullable().optional(),
  primary_email: primaryEmail.nullable().optional(),
  primary_email_verified: z.boolean().optional(),
  primary_email_auth_enabled: z.boolean().optional().meta({
    description: 'Whether the address signs in. Default: true with a password hash, a code or a verified address.',
  }),
  password_hash: z
    .string()
    .min(1)
    .max(passwordHashMaxLength)
    .optional()
    .meta({ description: 'bcrypt, or argon2id in PHC form.' }),
  otp_auth_enabled: z.boolean().optional(),
  profile_image_url: profileImageUrl
    .refine(value => value === null || /^https?:/i.test(value), 'must be an http or https URL')
    .optional(),
  client_metadata: json.optional(),
  client_read_only_metadata: json.optional(),
  server_metadata: json.optional(),
  signed_up_at_millis: millis.optional().meta({ description: 'Default: the time of the import. Not in the future.' }),
  oauth_providers: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        account_id: z.string().min(1).max(providerAccountIdMaxLength),
        email: primaryEmail.nullable().optional(),
      }),
    )
    .max(20)
    .optional(),
});

const imported = z.strictObject({
  status: z.enum(['created', 'updated', 'skipped', 'failed']),
  user_id: uuid.nullable().meta({ description: 'Null for a failed row and in a dry run that would create the user.' }),
  reason: z.string().nullable().meta({ description: 'Why the row was skipped or failed; a sentence.' }),
});

/** Extensions: what the owner of a project does with many users, and on behalf of one (docs/contract/user-administration.md). */
export const userAdministrationEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/internal/extensions/users',
    access: 'admin',
    query: z.strictObject({
      ...filters,
      limit: z.number().int().min(1).max(userFilterPageMax).optional().meta({ default: userFilterPageDefault }),
      cursor: cursor.optional(),
    }),
    response: pageOf(listedUser, z.string()),
    summary: 'List users by filters; a page may have fewer users than its limit although more follow',
    tag: 'extension',
    errors: [],
  }),
  export: endpoint({
    method: 'GET',
    path: '/internal/extensions/users/export',
    access: 'admin',
    query: z.strictObject(filters),
    response: serverUser,
    produces: 'json-lines',
    summary: 'Export users by filters, one user per line',
    tag: 'extension',
    errors: [],
  }),
  import: endpoint({
    method: 'POST',
    path: '/internal/extensions/users/import',
    access: 'admin',
    query: noQuery,
    largeBody: true,
    body: z.strictObject({
      is_dry_run: z.boolean().meta({ description: 'Whether to report what would happen and change nothing.' }),
      on_conflict: z.enum(['skip', 'update', 'fail']).meta({
        description: 'What happens to a row whose address is the primary address of a user, or signs in to one.',
      }),
      users: z
        .array(z.record(z.string(), json))
        .min(1)
        .max(importBatchMax)
        .meta({ description: 'Each is checked by itself: an invalid row fails alone.' }),
    }),
    response: z.strictObject({ results: z.array(imported) }),
    recordsItsChange: true,
    summary: 'Import a batch of users with their password hashes',
    tag: 'extension',
    errors: [],
  }),
  createLink: endpoint({
    method: 'POST',
    path: '/internal/extensions/users/{user_id}/links',
    access: 'admin',
    recentSignInWithinMs: userAccessRecentSignInMs,
    params: z.strictObject({ user_id: uuid }),
    query: noQuery,
    body: z.strictObject({
      kind: z.enum(['sign_in', 'password_reset']),
      callback_url: url.meta({ description: 'The page that completes it, on a trusted domain.' }),
    }),
    response: z.strictObject({ url: z.string(), expires_at_millis: millis }),
    status: 201,
    recordsItsChange: true,
    summary: 'Create a link that signs a user in or resets the password, without sending it',
    tag: 'extension',
    errors: ['USER_NOT_FOUND', 'REDIRECT_URL_NOT_WHITELISTED', 'PASSWORD_AUTHENTICATION_NOT_ENABLED'],
  }),
  impersonate: endpoint({
    method: 'POST',
    path: '/internal/extensions/users/{user_id}/impersonations',
    access: 'admin',
    recentSignInWithinMs: userAccessRecentSignInMs,
    params: z.strictObject({ user_id: uuid }),
    query: noQuery,
    body: z.strictObject({
      reason: z
        .string()
        .trim()
        .min(impersonationReasonMinLength)
        .max(impersonationReasonMaxLength)
        .meta({ description: 'Recorded in the audit log.' }),
    }),
    response: z.strictObject({ access_token: z.string(), refresh_token: z.string(), expires_at_millis: millis }),
    status: 201,
    recordsItsChange: true,
    summary: 'Open a short impersonation session for a user, for a recorded reason',
    tag: 'extension',
    errors: ['USER_NOT_FOUND', 'USER_SUSPENDED'],
  }),
};

const userParams = z.strictObject({ user_id: uuid });

const signInBlock = z.strictObject({
  limit: z.enum(['failedSignInsPerAccount', 'failedSignInsFromUnknownBlocks', 'failedSecondFactorsFromUnknownBlocks']),
  from: z.string().nullable().meta({
    description:
      'The network: an IPv4 address, an IPv6 /64, or `server` for sign-ins that a server sends. Null: every network from which the user has not signed in lately.',
  }),
  until_millis: millis,
});

/** Extensions: admins see and end the block of sign-ins to an account after failed attempts. */
export const signInBlockEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/internal/extensions/users/{user_id}/sign-in-blocks',
    access: 'admin',
    params: userParams,
    query: noQuery,
    response: listOf(signInBlock),
    summary: 'List the first 100 blocks of sign-ins to the account of a user after failed attempts, the longest first',
    tag: 'extension',
    errors: ['USER_NOT_FOUND'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/internal/extensions/users/{user_id}/sign-in-blocks',
    access: 'admin',
    params: userParams,
    query: noQuery,
    response: success,
    recordsItsChange: true,
    summary: 'Forget the failed sign-ins to the account of a user, so that sign-ins are allowed again',
    tag: 'extension',
    errors: ['USER_NOT_FOUND'],
  }),
};
