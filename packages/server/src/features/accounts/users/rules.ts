import { contactChannelsMax, fail, type Json, metadataMaxBytes } from '@tessera/protocol';
import { refuse } from '../../../http/refusal.ts';
import { isStoredImageUrl } from '../../images/rules.ts';
import { assertImportableHash } from './imported-hash/rules.ts';

/** The requested changes; an undefined key leaves the value unchanged (docs/contract/users.md#user-object). */
export interface UserPatch {
  readonly displayName?: string | null;
  readonly profileImageUrl?: string | null;
  readonly clientMetadata?: Json;
  readonly clientReadOnlyMetadata?: Json;
  readonly serverMetadata?: Json;
  readonly selectedTeamId?: string | null;
  readonly otpAuthEnabled?: boolean;
  readonly passkeyAuthEnabled?: boolean;
  readonly totpSecret?: Uint8Array | null;
  readonly primaryEmail?: string | null;
  readonly primaryEmailVerified?: boolean;
  readonly primaryEmailAuthEnabled?: boolean;
  readonly isAnonymous?: false;
  readonly password?: string | null;
  readonly passwordHash?: string;
}

/** One step of an update, ready for the store. */
export type UserChange =
  | { readonly kind: 'displayName' | 'profileImageUrl'; readonly value: string | null }
  | { readonly kind: 'clientMetadata' | 'clientReadOnlyMetadata' | 'serverMetadata'; readonly value: Json }
  | { readonly kind: 'otpAuthEnabled' | 'isAnonymous'; readonly value: boolean }
  | { readonly kind: 'totpSecret'; readonly value: Uint8Array | null }
  | { readonly kind: 'passwordHash'; readonly value: string | null }
  | { readonly kind: 'selectedTeam'; readonly teamId: string | null }
  | { readonly kind: 'endAllSessions' | 'deletePrimaryEmail' | 'deletePasskeys' }
  | ({ readonly kind: 'createPrimaryEmail' | 'updatePrimaryEmail' } & PrimaryEmail)
  | {
      readonly kind: 'switchPrimaryEmail';
      readonly value: string;
      readonly isVerified: boolean | undefined;
      readonly usedForAuth: boolean | undefined;
    };

interface PrimaryEmail {
  readonly value: string;
  readonly isVerified: boolean;
  readonly usedForAuth: boolean;
}

/** One step of an update; a password is not hashed yet. */
export type PlannedChange = UserChange | { readonly kind: 'password'; readonly value: string };

/** The facts that the plan depends on, apart from the patch. */
export interface UpdateContext {
  readonly user: {
    readonly id: string;
    readonly hasPassword: boolean;
    readonly otpAuthEnabled: boolean;
    readonly primaryEmail: string | null;
    readonly primaryEmailVerified: boolean;
    readonly primaryEmailAuthEnabled: boolean;
  };
  readonly level: 'client' | 'server' | 'admin';
  readonly config: { readonly credentialEnabled: boolean; readonly magicLinkEnabled: boolean };
  /** The new primary email is already another channel of this user. */
  readonly ownsNewAddress: boolean;
  /** The number of contact channels that the user has. */
  readonly channelCount: number;
  /** The user is a member of the team to be selected. */
  readonly isInSelectedTeam: boolean;
  /** The common beginning of the URLs of stored images. */
  readonly imagesUrl: string;
}

const signInFields = [
  'otpAuthEnabled',
  'passkeyAuthEnabled',
  'totpSecret',
  'password',
  'passwordHash',
  'primaryEmail',
  'primaryEmailVerified',
  'primaryEmailAuthEnabled',
] as const satisfies readonly (keyof UserPatch)[];

/** True for an update of sign-in methods: what it sets can open the account. */
export function changesSignIn(patch: UserPatch): boolean {
  return signInFields.some(field => patch[field] !== undefined);
}

/** True for a change of the ownership record: the server metadata of a user of `internal` names the projects of the user. */
export function changesOwnership(
  { serverMetadata }: Pick<UserPatch, 'serverMetadata'>,
  { id }: { readonly id: string },
): boolean {
  return id === 'internal' && serverMetadata !== undefined;
}

/** @throws a text 400 for a user who already has the maximum number of contact channels */
export function assertMayAddChannel(channelCount: number): void {
  if (channelCount >= contactChannelsMax)
    refuse(400, `A user can have ${contactChannelsMax} contact channels at most.`);
}

/** The normalized spelling of an address (control 73; docs/contract/decisions.md#controls-and-the-contract). */
export function normalizedEmail(address: string): string {
  return address.trim().toLowerCase();
}

/**
 * Plans the steps of an update (docs/contract/users.md).
 *
 * @throws a text 400 for a refused change, TEAM_MEMBERSHIP_NOT_FOUND for a team without the user
 */
export function planUserUpdate(patch: UserPatch, context: UpdateContext): PlannedChange[] {
  return [
    ...planProfile(patch, context),
    ...planMetadata(patch),
    ...planSelectedTeam(patch, context),
    ...planPrimaryEmail(patch, context),
    ...planPassword(patch, context),
    ...planSwitches(patch, context),
  ];
}

function planProfile(patch: UserPatch, { level, imagesUrl }: UpdateContext): PlannedChange[] {
  const { displayName, profileImageUrl } = patch;
  if (profileImageUrl != null && level === 'client') assertImageData(profileImageUrl, imagesUrl);
  return [
    ...(displayName === undefined ? [] : [{ kind: 'displayName', value: displayName || null } as const]),
    ...(profileImageUrl === undefined ? [] : [{ kind: 'profileImageUrl', value: profileImageUrl } as const]),
  ];
}

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
  if (password !== undefined && passwordHash !== undefined)
    refuse(400, 'Send a password or a password hash, not both.');
  if (passwordHash !== undefined) assertImportableHash(passwordHash);
  const hasPassword = password != null || passwordHash !== undefined;
  if (hasPassword && !config.credentialEnabled)
    refuse(400, 'Sign-in with a password is switched off for this project.');
  if (request.otpAuthEnabled === true && !config.magicLinkEnabled) {
    refuse(400, 'Sign-in by email code is switched off for this project.');
  }
  if (value === null && (request.primaryEmailVerified === true || request.primaryEmailAuthEnabled === true)) {
    refuse(400, 'Without a primary email there is nothing to verify or to sign in with.');
  }
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

const imageData = /^data:image\/(?:png|jpg|jpeg|gif|bmp|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/**
 * Clients send the image itself: a link would tell the operator of the linked server who views it. The URL of a stored
 * image of the project is accepted, because a client reads it back after an upload.
 *
 * @param imagesUrl the common beginning of the URLs of stored images
 */
export function assertImageData(value: string, imagesUrl: string): void {
  if (!imageData.test(value) && !isStoredImageUrl(value, imagesUrl))
    refuse(400, 'A profile image must be a base64 data URL of a png, jpg, jpeg, gif, bmp or webp image.');
}

function planMetadata(patch: UserPatch): PlannedChange[] {
  const tiers = ['clientMetadata', 'clientReadOnlyMetadata', 'serverMetadata'] as const;
  return tiers.flatMap(kind => {
    const value = patch[kind];
    if (value === undefined) return [];
    assertMetadataFits(value);
    return [{ kind, value } as const];
  });
}

/** Control 89: the size of metadata is limited. */
export function assertMetadataFits(value: Json): void {
  const sizeBytes = new TextEncoder().encode(JSON.stringify(value)).length;
  if (sizeBytes > metadataMaxBytes)
    refuse(400, `Metadata may take ${metadataMaxBytes} bytes; this takes ${sizeBytes}.`);
}

function planSelectedTeam({ selectedTeamId }: UserPatch, { user, isInSelectedTeam }: UpdateContext): PlannedChange[] {
  if (selectedTeamId === undefined) return [];
  if (selectedTeamId !== null && !isInSelectedTeam) {
    fail('TEAM_MEMBERSHIP_NOT_FOUND', { team_id: selectedTeamId, user_id: user.id });
  }
  return [{ kind: 'selectedTeam', teamId: selectedTeamId }];
}

function planPrimaryEmail(patch: UserPatch, { user, ownsNewAddress, channelCount }: UpdateContext): PlannedChange[] {
  const { primaryEmail: value, primaryEmailVerified: isVerified, primaryEmailAuthEnabled: usedForAuth } = patch;
  const resulting = value === undefined ? user.primaryEmail : value;
  if (resulting === null && (isVerified === true || usedForAuth === true)) {
    refuse(400, 'Without a primary email there is nothing to verify or to sign in with.');
  }
  if (resulting === null) return value === null && user.primaryEmail !== null ? [{ kind: 'deletePrimaryEmail' }] : [];
  if (value === undefined && isVerified === undefined && usedForAuth === undefined) return [];
  if (resulting !== user.primaryEmail && ownsNewAddress) {
    return [{ kind: 'switchPrimaryEmail', value: resulting, isVerified, usedForAuth }];
  }
  if (user.primaryEmail === null) assertMayAddChannel(channelCount);
  return [
    {
      kind: user.primaryEmail === null ? 'createPrimaryEmail' : 'updatePrimaryEmail',
      value: resulting,
      isVerified: isVerified ?? user.primaryEmailVerified,
      usedForAuth: usedForAuth ?? user.primaryEmailAuthEnabled,
    },
  ];
}

// Control 11: a server can set a password but never read one.
function planPassword(patch: UserPatch, { user, config }: UpdateContext): PlannedChange[] {
  const { password, passwordHash, primaryEmail = user.primaryEmail } = patch;
  if (password === undefined && passwordHash === undefined) return [];
  if (password !== undefined && passwordHash !== undefined)
    refuse(400, 'Send a password or a password hash, not both.');
  if (passwordHash !== undefined) assertImportableHash(passwordHash);
  if (password === null) return [{ kind: 'passwordHash', value: null }, { kind: 'endAllSessions' }];
  if (!user.hasPassword && !config.credentialEnabled)
    refuse(400, 'Sign-in with a password is switched off for this project.');
  if (!user.hasPassword && primaryEmail === null) refuse(400, 'A user needs a primary email before a first password.');
  const stored: PlannedChange =
    password === undefined
      ? { kind: 'passwordHash', value: passwordHash ?? null }
      : { kind: 'password', value: password };
  return [stored, { kind: 'endAllSessions' }];
}

function planSwitches(patch: UserPatch, { user, config }: UpdateContext): PlannedChange[] {
  const { otpAuthEnabled, passkeyAuthEnabled, totpSecret, isAnonymous } = patch;
  if (otpAuthEnabled === true && !user.otpAuthEnabled && !config.magicLinkEnabled) {
    refuse(400, 'Sign-in by email code is switched off for this project.');
  }
  if (passkeyAuthEnabled === true) refuse(400, 'A passkey comes from its registration, it cannot be switched on.');
  return [
    ...(otpAuthEnabled === undefined ? [] : [{ kind: 'otpAuthEnabled', value: otpAuthEnabled } as const]),
    ...(passkeyAuthEnabled === undefined ? [] : [{ kind: 'deletePasskeys' } as const]),
    ...(totpSecret === undefined ? [] : [{ kind: 'totpSecret', value: totpSecret } as const]),
    ...(isAnonymous === undefined ? [] : [{ kind: 'isAnonymous', value: isAnonymous } as const]),
  ];
}
