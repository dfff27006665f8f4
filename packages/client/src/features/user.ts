import type { Json, Reply, Routes } from '@tessera/protocol';

export type UserJson = Reply<Routes['GET /users/me'], 'client'>;
export type ServerUserJson = Reply<Routes['GET /users/me'], 'server'>;

/** What is known of a user. A snapshot: it does not change when the user does. */
export interface UserFields {
  readonly id: string;
  readonly displayName: string | null;
  /** Not necessarily unique. */
  readonly primaryEmail: string | null;
  readonly primaryEmailVerified: boolean;
  readonly profileImageUrl: string | null;
  readonly signedUpAt: Date;
  /** Written by the user's own client. */
  readonly clientMetadata: Json;
  /** Written by servers, readable by the user's client. */
  readonly clientReadOnlyMetadata: Json;
  readonly hasPassword: boolean;
  readonly otpAuthEnabled: boolean;
  readonly passkeyAuthEnabled: boolean;
  readonly isMultiFactorRequired: boolean;
  readonly isAnonymous: boolean;
  /** @deprecated Says whether the primary e-mail address may be used to sign in. */
  readonly emailAuthEnabled: boolean;
  /** @deprecated Connected providers. */
  readonly oauthProviders: readonly { readonly id: string }[];
}

/** What only servers know of a user. */
export interface ServerUserFields extends UserFields {
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
