import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import { displayName, newPassword, noQuery, signedIn, strictEmail } from '../fields/fields.ts';
import {
  auditRetentionMaxDays,
  brandUrlMaxLength,
  deletionCoolingOffMaxDays,
  freshSignInMaxMs,
  freshSignInMinMs,
  ownLimitMax,
  postalAddressMaxLength,
  profileImageMaxLength,
  sessionMaxLifetimeMs,
  sessionPolicyMinLifetimeMs,
  signUpEntriesMax,
  teamRolesMax,
} from '../limits.ts';
import { normalizeSignUpEntry } from '../rules/sign-up-restrictions.ts';
import { parseUrl } from '../urls.ts';
import { permissionId } from './permissions.ts';

/**
 * A group of settings that the July 2025 contract does not have, with an endpoint of its own. A setting that a change
 * does not name stays as it is; null gives it back to the installation.
 */
function settingsEndpoints<const Name extends string, Shape extends z.ZodRawShape, Body extends z.ZodObject>(
  name: Name,
  about: string,
  {
    fields,
    body,
    errors = [],
  }: { fields: z.ZodObject<Shape, z.core.$strict>; body: Body; errors?: readonly ErrorCode[] },
) {
  return {
    read: endpoint({
      method: 'GET',
      path: `/internal/extensions/${name}`,
      access: 'admin',
      query: noQuery,
      response: fields,
      summary: `Read ${about}`,
      tag: 'extension',
      errors: [],
    }),
    update: endpoint({
      method: 'PATCH',
      path: `/internal/extensions/${name}`,
      access: 'admin',
      query: noQuery,
      largeBody: true,
      body,
      response: fields,
      recordsItsChange: true,
      summary: `Change ${about}`,
      tag: 'extension',
      errors,
    }),
  };
}

function isWebUrl(value: string): boolean {
  return /^https?:\/\/\S+$/i.test(value) && parseUrl(value) !== undefined;
}

function isUnique(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

const lifetime = z
  .number()
  .int()
  .min(sessionPolicyMinLifetimeMs)
  .max(sessionMaxLifetimeMs)
  .nullable()
  .meta({ description: 'Milliseconds; null means the default of the installation.' });

const count = z
  .number()
  .int()
  .min(1)
  .max(ownLimitMax)
  .nullable()
  .meta({ description: 'Null means the default of the installation.' });

const signUpEntry = z
  .string()
  .refine(
    value => normalizeSignUpEntry(value) !== undefined,
    'must be a domain such as example.com, *.example.com for its subdomains, or an email address',
  )
  .meta({ example: 'example.com' });

const signUpRestrictions = z.strictObject({
  allowed: z.array(signUpEntry).max(signUpEntriesMax).meta({
    description: 'Only these addresses can sign up; an empty list means every address that is not blocked.',
  }),
  blocked: z.array(signUpEntry).max(signUpEntriesMax).meta({
    description: 'These addresses cannot sign up. An allowed address wins over a blocked domain.',
  }),
});

export const signUpRestrictionSettings = settingsEndpoints('sign-up-restrictions', 'which addresses can sign up', {
  fields: signUpRestrictions,
  body: signUpRestrictions.partial(),
});

const anonymousUsers = z.strictObject({ enabled: z.boolean() });

export const anonymousUserSettings = settingsEndpoints('anonymous-users', 'whether anonymous sign-up is on', {
  fields: anonymousUsers,
  body: anonymousUsers,
});

const passwordPolicy = z.strictObject({
  refuses_weak_passwords: z.boolean().nullable().meta({
    description: 'Whether common and contextual passwords are refused; null means: in production, yes.',
  }),
});

export const passwordPolicySettings = settingsEndpoints('password-policy', 'which passwords are refused', {
  fields: passwordPolicy,
  body: passwordPolicy,
});

const passkeyPolicy = z.strictObject({
  counts_as_both_factors: z.boolean().meta({
    description: 'Whether a passkey that verified its user signs in without the code of an authenticator app.',
  }),
});

export const passkeyPolicySettings = settingsEndpoints('passkey-policy', 'what a passkey proves', {
  fields: passkeyPolicy,
  body: passkeyPolicy,
});

const emailVerification = z.strictObject({
  asks_for_code: z.boolean().meta({
    description: 'Whether the email after a sign-up with a password has a code for the page that it was made on.',
  }),
});

export const emailVerificationSettings = settingsEndpoints('email-verification', 'how a new address is verified', {
  fields: emailVerification,
  body: emailVerification,
});

const accountDeletion = z.strictObject({
  cooling_off_days: z.number().int().min(0).max(deletionCoolingOffMaxDays).meta({
    description: 'Days in which users can keep an account that they have deleted; 0 deletes it at once.',
  }),
});

export const accountDeletionSettings = settingsEndpoints('account-deletion', 'when a deleted account is gone', {
  fields: accountDeletion,
  body: accountDeletion,
});

const sessionPolicy = z.strictObject({
  lifetime_millis: lifetime,
  idle_lifetime_millis: lifetime,
  fresh_sign_in_within_millis: z.number().int().min(freshSignInMinMs).max(freshSignInMaxMs).nullable().meta({
    description: 'Sensitive changes ask for a sign-in that is no older; null means that they do not ask.',
  }),
  rotates_refresh_tokens: z.boolean().meta({
    description:
      'Whether each refresh gives another refresh token in the place of the one before. One that comes back after its successor was used was stolen, or its successor was, and ends the session.',
  }),
});

export const sessionPolicySettings = settingsEndpoints('session-policy', 'how long sessions live', {
  fields: sessionPolicy,
  body: sessionPolicy.partial(),
});

const invitations = z.strictObject({
  bound_to_address: z.boolean().meta({
    description: 'Whether only a user with the invited address as a verified contact channel can accept an invitation.',
  }),
});

export const invitationSettings = settingsEndpoints('invitations', 'who can accept team invitations', {
  fields: invitations,
  body: invitations,
});

const teamRoles = z.strictObject({
  permission_ids: z.array(permissionId).max(teamRolesMax).refine(isUnique, 'must not repeat an id').nullable().meta({
    description:
      'The team permissions that members hold as roles, the highest first: its holders administer the team. Null means `team_admin` and `team_member`; an empty list means that there are no roles.',
  }),
});

export const teamRoleSettings = settingsEndpoints('team-roles', 'which team permissions are roles', {
  fields: teamRoles,
  body: teamRoles,
  errors: ['PERMISSION_NOT_FOUND', 'WRONG_PERMISSION_SCOPE'],
});

const imageDataUrl = /^data:image\/(?:png|jpe?g|gif|webp);base64,/;

const branding = z.strictObject({
  logo_url: z
    .string()
    .max(brandUrlMaxLength)
    .refine(isWebUrl, 'must be an http or https URL')
    .nullable()
    .meta({ description: 'A picture at the top of emails; null means the name of the project.' }),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .nullable()
    .meta({ description: 'The colour of buttons in emails as #RRGGBB; null means black.' }),
  postal_address: z
    .string()
    .max(postalAddressMaxLength)
    .nullable()
    .meta({ description: 'The address of the sender in the footer of emails.' }),
});

/** An image file is sent as a data URL. The server stores it, and the setting gets its URL. */
const newLogo = z
  .string()
  .refine(
    value =>
      value.startsWith('data:')
        ? imageDataUrl.test(value) && value.length <= profileImageMaxLength
        : isWebUrl(value) && value.length <= brandUrlMaxLength,
    'must be an http or https URL, or a base64 data URL of a PNG, JPEG, GIF or WebP image',
  );

export const brandingSettings = settingsEndpoints('branding', 'how the emails of the project look', {
  fields: branding,
  body: branding.extend({ logo_url: newLogo.nullable() }).partial(),
});

const signInNotices = z.strictObject({
  enabled: z.boolean().meta({
    description: 'Whether users get an email about a sign-in from a new device, at their verified primary address.',
  }),
});

export const signInNoticeSettings = settingsEndpoints('sign-in-notices', 'emails about sign-ins from new devices', {
  fields: signInNotices,
  body: signInNotices,
});

const limits = z.strictObject({
  failed_sign_ins_per_account: count,
  failed_sign_ins_per_address: count,
  mails_per_recipient: count,
  mails_per_address: count,
  mails_per_project: count,
  sign_ups_per_address: count,
});

export const limitSettings = settingsEndpoints('limits', 'how much is too much', {
  fields: limits,
  body: limits.partial(),
});

const auditLog = z.strictObject({
  retention_days: z.number().int().min(1).max(auditRetentionMaxDays).nullable().meta({
    description: 'Null means the default of the installation.',
  }),
});

export const auditLogSettings = settingsEndpoints('audit-log-settings', 'how long the audit log is kept', {
  fields: auditLog,
  body: auditLog,
});

export const firstOwnerEndpoints = {
  signUp: endpoint({
    method: 'POST',
    path: '/extensions/first-owner',
    access: 'client',
    endedSession: 'ignored',
    query: noQuery,
    body: z.strictObject({
      code: z.string().meta({ description: 'The code of the link that the server logs until there is an owner.' }),
      email: strictEmail,
      password: newPassword,
      display_name: displayName.optional(),
    }),
    response: signedIn,
    summary: 'Create the account that owns the installation, with the one-time link in its log',
    tag: 'extension',
    errors: [],
  }),
};
