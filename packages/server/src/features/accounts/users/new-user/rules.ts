import type { Json } from '@tessera/protocol';
import { refuse } from '../../../../http/refusal.ts';
import { assertFlagsHaveAddress } from '../primary-email/rules.ts';
import { assertMetadataFits } from '../profile/rules.ts';
import { assertEmailCodesAllowed, assertPasswordsAllowed, assertStorablePassword } from '../sign-in-methods/rules.ts';
import type { PrimaryEmail, UpdateContext, UserPatch } from '../user-update.ts';

/** A new user as it is stored, before hashing and encryption. */
export interface PlannedUser {
  readonly displayName: string | null;
  readonly profileImageUrl: string | null;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
  readonly serverMetadata: Json;
  readonly password: string | null;
  readonly passwordHash: string | null;
  readonly otpAuthEnabled: boolean;
  readonly totpSecret: Uint8Array | null;
  readonly isAnonymous: boolean;
  readonly primaryEmail: PrimaryEmail | null;
}

export type NewUserRequest = Omit<UserPatch, 'isAnonymous' | 'selectedTeamId'> & { readonly isAnonymous?: boolean };

/**
 * Plans a user that a server creates (docs/contract/users.md).
 *
 * @throws a text 400 for a refused field
 */
export function planNewUser(request: NewUserRequest, config: UpdateContext['config']): PlannedUser {
  const { primaryEmail: value = null, password, passwordHash } = request;
  assertStorablePassword(request);
  if (password != null || passwordHash !== undefined) assertPasswordsAllowed(config);
  if (request.otpAuthEnabled === true) assertEmailCodesAllowed(config);
  assertFlagsHaveAddress(value, request);
  const { clientMetadata = null, clientReadOnlyMetadata = null, serverMetadata = null } = request;
  for (const metadata of [clientMetadata, clientReadOnlyMetadata, serverMetadata]) assertMetadataFits(metadata);
  return {
    displayName: request.displayName || null,
    profileImageUrl: request.profileImageUrl ?? null,
    clientMetadata,
    clientReadOnlyMetadata,
    serverMetadata,
    password: password ?? null,
    passwordHash: passwordHash ?? null,
    otpAuthEnabled: request.otpAuthEnabled ?? false,
    totpSecret: request.totpSecret ?? null,
    isAnonymous: request.isAnonymous ?? false,
    primaryEmail:
      value === null
        ? null
        : {
            value,
            isVerified: request.primaryEmailVerified ?? false,
            usedForAuth: request.primaryEmailAuthEnabled ?? false,
          },
  };
}

/** Accounts at providers that the project has not configured are refused (docs/contract/users.md#side-effects). */
export function assertProvidersConfigured(
  accounts: readonly { readonly id: string }[],
  config: { readonly oauthProviders: readonly { readonly id: string }[] },
): void {
  const missing = accounts.find(({ id }) => !config.oauthProviders.some(provider => provider.id === id));
  if (missing !== undefined)
    refuse(400, `The provider ${missing.id.slice(0, 100)} is not configured for this project.`);
}
