import type { Json } from '@tessera/protocol';

/** A user with the primary address, as the pipeline loads it for each request. */
export interface CallUser {
  readonly id: string;
  readonly displayName: string | null;
  readonly profileImageUrl: string | null;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
  readonly serverMetadata: Json;
  readonly hasPassword: boolean;
  readonly otpAuthEnabled: boolean;
  readonly hasPasskey: boolean;
  readonly requiresTotpMfa: boolean;
  readonly isAnonymous: boolean;
  readonly signedUpAtMillis: number;
  readonly primaryEmail: string | null;
  readonly primaryEmailVerified: boolean;
  readonly primaryEmailAuthEnabled: boolean;
  readonly oauthAccounts: readonly OAuthAccount[];
  readonly selectedTeam: SelectedTeam | null;
}

/** A user with the fields that servers see. */
export interface User extends CallUser {
  readonly lastActiveAtMillis: number;
}

/** An account at an OAuth provider. */
export interface OAuthAccount {
  /** The id of the provider. */
  readonly id: string;
  readonly accountId: string;
  readonly email: string | null;
}

/** A provider account that is linked now. */
export interface NewOAuthAccount extends OAuthAccount {
  /** The name of the account at the provider. */
  readonly displayName?: string | null;
}

/** The selected team of a user. */
export interface SelectedTeam {
  readonly id: string;
  readonly displayName: string;
  readonly profileImageUrl: string | null;
  readonly clientMetadata: Json;
  readonly clientReadOnlyMetadata: Json;
  readonly serverMetadata: Json;
  readonly createdAtMillis: number;
}
