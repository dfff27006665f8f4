import type { Json, Reply, Routes } from '@tessera/protocol';

/** A user as the server sends them to clients. */
export type UserJson = Reply<Routes['GET /users/me'], 'client'>;
/** A user as the server sends them to servers. */
export type ServerUserJson = Reply<Routes['GET /users/me'], 'server'>;

/** What is known of a user. A snapshot: it does not change when the user does. */
export interface UserFields {
  /** Id of the user, a UUID; the `sub` of their access tokens. */
  readonly id: string;
  /** What others read of them; null when they have not said. */
  readonly displayName: string | null;
  /** Not necessarily unique. */
  readonly primaryEmail: string | null;
  /** Whether its owner has proved that it is theirs. */
  readonly primaryEmailVerified: boolean;
  /** Null: none. */
  readonly profileImageUrl: string | null;
  /** When the account was opened. */
  readonly signedUpAt: Date;
  /** Written by the user's own client. */
  readonly clientMetadata: Json;
  /** Written by servers, readable by the user's client. */
  readonly clientReadOnlyMetadata: Json;
  /** Whether one can sign in with a password. */
  readonly hasPassword: boolean;
  /** Whether one can sign in with a code or link by mail. */
  readonly otpAuthEnabled: boolean;
  /** Whether one can sign in with a passkey. */
  readonly passkeyAuthEnabled: boolean;
  /** Whether signing in asks for a code of an authenticator app. */
  readonly isMultiFactorRequired: boolean;
  /** Whether the user has not said who they are. */
  readonly isAnonymous: boolean;
  /** @deprecated Says whether the primary e-mail address may be used to sign in. */
  readonly emailAuthEnabled: boolean;
  /** @deprecated Connected providers. */
  readonly oauthProviders: readonly { readonly id: string }[];
}

/** Any user, as far as everybody may know them. */
export interface User extends UserFields {
  /** The user as the server sent it. */
  toClientJson(): UserJson;
}

/** What only servers know of a user. */
export interface ServerUserFields extends UserFields {
  /** When the user was last seen. */
  readonly lastActiveAt: Date;
  /** Written by servers and never shown to clients. */
  readonly serverMetadata: Json;
}

export function userFields(wire: UserJson): UserFields {
  return {
    id: wire.id,
    displayName: wire.display_name,
    primaryEmail: wire.primary_email,
    primaryEmailVerified: wire.primary_email_verified,
    profileImageUrl: wire.profile_image_url,
    signedUpAt: new Date(wire.signed_up_at_millis),
    clientMetadata: wire.client_metadata,
    clientReadOnlyMetadata: wire.client_read_only_metadata,
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
    serverMetadata: wire.server_metadata,
  };
}
