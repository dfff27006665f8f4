import type { Reply, Routes } from '@tessera/protocol';
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../app/config/register.ts';

/** The JSON of a user at client level. */
export type UserJson = Reply<Routes['GET /users/me'], 'client'>;
/** The JSON of a user at server level. */
export type ServerUserJson = Reply<Routes['GET /users/me'], 'server'>;

/** Fields of a user. A snapshot. */
export interface UserFields {
  /** Id of the user, a UUID; the `sub` of their access tokens. */
  readonly id: string;
  /** The display name; null for none. */
  readonly displayName: string | null;
  /** The primary address; null when there is none. Another user can have the same address. */
  readonly primaryEmail: string | null;
  /** Whether the primary email address is verified. */
  readonly primaryEmailVerified: boolean;
  /** Null: none. */
  readonly profileImageUrl: string | null;
  /** Creation time of the account. */
  readonly signedUpAt: Date;
  /** Written by the user's own client. */
  readonly clientMetadata: ClientMetadata;
  /** Written by servers, readable by the user's client. */
  readonly clientReadOnlyMetadata: ClientReadOnlyMetadata;
  /** Whether sign-in with a password is possible. */
  readonly hasPassword: boolean;
  /** Whether sign-in with an emailed code or link is possible. */
  readonly otpAuthEnabled: boolean;
  /** Whether sign-in with a passkey is possible. */
  readonly passkeyAuthEnabled: boolean;
  /** Whether sign-in requires a code of an authenticator app. */
  readonly isMultiFactorRequired: boolean;
  /** Whether the user is anonymous. */
  readonly isAnonymous: boolean;
  /** @deprecated Whether the primary email address can be used to sign in. */
  readonly emailAuthEnabled: boolean;
  /** @deprecated Connected providers. */
  readonly oauthProviders: readonly { readonly id: string }[];
}

/** The public view of a user. */
export interface User extends UserFields {
  /** The user as the server sent it. */
  toClientJson(): UserJson;
}

/** Server-only fields of a user. */
export interface ServerUserFields extends UserFields {
  /** Time of the last activity. */
  readonly lastActiveAt: Date;
  /** Written by servers and never shown to clients. */
  readonly serverMetadata: ServerMetadata;
}

export function userFields(wire: UserJson): UserFields {
  return {
    id: wire.id,
    displayName: wire.display_name,
    primaryEmail: wire.primary_email,
    primaryEmailVerified: wire.primary_email_verified,
    profileImageUrl: wire.profile_image_url,
    signedUpAt: new Date(wire.signed_up_at_millis),
    clientMetadata: wire.client_metadata as ClientMetadata,
    clientReadOnlyMetadata: wire.client_read_only_metadata as ClientReadOnlyMetadata,
    hasPassword: wire.has_password,
    otpAuthEnabled: wire.otp_auth_enabled,
    passkeyAuthEnabled: wire.passkey_auth_enabled,
    isMultiFactorRequired: wire.requires_totp_mfa,
    isAnonymous: wire.is_anonymous,
    emailAuthEnabled: wire.auth_with_email,
    oauthProviders: wire.oauth_providers,
  };
}

export function serverUserFields(wire: ServerUserJson): ServerUserFields {
  return {
    ...userFields(wire),
    lastActiveAt: new Date(wire.last_active_at_millis),
    serverMetadata: wire.server_metadata as ServerMetadata,
  };
}
