import type { Json } from '@tessera/protocol';

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
export interface PrimaryEmail {
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
