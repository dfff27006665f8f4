import { fail, importedUser, type Json, KnownError } from '@tessera/protocol';
import type * as z from 'zod';
import type { Project } from '../../../core/project.ts';
import { Refusal, refuse } from '../../../http/refusal.ts';
import type { UserCreation } from '../../accounts/users/index.ts';
import { assertProvidersConfigured, planNewUser } from '../../accounts/users/new-user/rules.ts';
import { normalizedEmail } from '../../accounts/users/primary-email/rules.ts';
import { changesOwnership } from '../../accounts/users/rules.ts';

type ImportedUser = z.infer<typeof importedUser>;

/** Plans the user of a row. @throws a refusal that says what is wrong with the row */
export function planImportedUser(
  row: Readonly<Record<string, Json>>,
  { project, nowMillis }: { project: Project; nowMillis: number },
): UserCreation {
  const given = parseRow(row);
  const primaryEmail = given.primary_email == null ? null : normalizedEmail(given.primary_email);
  if (primaryEmail === null && !given.display_name) refuse(400, 'A user needs a name or an email address.');
  const signedUpAtMillis = given.signed_up_at_millis ?? nowMillis;
  if (signedUpAtMillis > nowMillis) refuse(400, 'signed_up_at_millis is in the future.');
  const oauthAccounts = (given.oauth_providers ?? []).map(({ id, account_id: accountId, email }) => ({
    id,
    accountId,
    email: email == null ? null : normalizedEmail(email),
  }));
  assertProvidersConfigured(oauthAccounts, project.config);
  const { password: _, totpSecret: __, ...planned } = planNewUser(newUserOf(given, primaryEmail), project.config);
  return { ...planned, oauthAccounts, nowMillis, signedUpAtMillis };
}

/**
 * True for a batch that gives its author access to something of others: to an existing account, by its new password hash,
 * or to other projects. New accounts belong to no other person, so they do not count.
 */
export function givesAccess(
  batch: { readonly on_conflict: string; readonly users: readonly Readonly<Record<string, Json>>[] },
  project: { readonly id: string },
): boolean {
  return batch.users.some(
    row =>
      (batch.on_conflict === 'update' && row.password_hash !== undefined) ||
      changesOwnership({ serverMetadata: row.server_metadata }, project),
  );
}

function parseRow(row: Readonly<Record<string, Json>>): ImportedUser {
  const parsed = importedUser.safeParse(row);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') refuse(400, `Unknown field: ${issue.keys.join(', ')}.`);
  refuse(400, `${issue?.path.join('.') || 'The row'}: ${issue?.message ?? 'is not valid'}.`);
}

/** The address signs in by default when a method needs it or when it is verified. */
function newUserOf(given: ImportedUser, primaryEmail: string | null) {
  const hasMethod = given.password_hash !== undefined || given.otp_auth_enabled === true;
  const isVerified = given.primary_email_verified ?? false;
  return {
    displayName: given.display_name ?? null,
    profileImageUrl: given.profile_image_url ?? null,
    clientMetadata: given.client_metadata ?? null,
    clientReadOnlyMetadata: given.client_read_only_metadata ?? null,
    serverMetadata: given.server_metadata ?? null,
    primaryEmail,
    ...(primaryEmail === null
      ? {}
      : {
          primaryEmailVerified: isVerified,
          primaryEmailAuthEnabled: given.primary_email_auth_enabled ?? (hasMethod || isVerified),
        }),
    ...(given.password_hash === undefined ? {} : { passwordHash: given.password_hash }),
    ...(given.otp_auth_enabled === undefined ? {} : { otpAuthEnabled: given.otp_auth_enabled }),
  };
}

/**
 * The fields that a row changes in a user who has its address: those that it names. A password stays as it is. A first
 * password makes the primary address sign in, because it would be useless without.
 */
export function updateOf(
  row: Readonly<Record<string, Json>>,
  planned: UserCreation,
  user: {
    readonly hasPassword: boolean;
    readonly primaryEmail: string | null;
    readonly primaryEmailAuthEnabled: boolean;
  },
) {
  const { displayName, profileImageUrl, clientMetadata, clientReadOnlyMetadata, serverMetadata } = planned;
  const { passwordHash, primaryEmail } = planned;
  const setsPassword = passwordHash !== null && !user.hasPassword;
  const mustSignIn =
    primaryEmail?.usedForAuth === true && primaryEmail.value === user.primaryEmail && !user.primaryEmailAuthEnabled;
  return {
    ...('display_name' in row ? { displayName } : {}),
    ...('profile_image_url' in row ? { profileImageUrl: profileImageUrl ?? null } : {}),
    ...('client_metadata' in row ? { clientMetadata: clientMetadata ?? null } : {}),
    ...('client_read_only_metadata' in row ? { clientReadOnlyMetadata: clientReadOnlyMetadata ?? null } : {}),
    ...('server_metadata' in row ? { serverMetadata: serverMetadata ?? null } : {}),
    ...(setsPassword ? { passwordHash } : {}),
    ...(setsPassword && mustSignIn ? { primaryEmailAuthEnabled: true } : {}),
  };
}

/** The sentence of an expected error of a row. @throws any other error */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal && error.status < 500) return error.message;
  if (KnownError.isKnownError(error)) return error.message;
  throw error;
}

/** @throws USER_EMAIL_ALREADY_EXISTS */
export function refuseConflict(email: string): never {
  fail('USER_EMAIL_ALREADY_EXISTS', { email });
}
