import type { Args, Json, Routes } from '@tessera/protocol';
import type { ClientMetadata, ClientReadOnlyMetadata, ServerMetadata } from '../../app/config/register.ts';
import type { HasId } from './subject.ts';

/** Changes of the signed-in user. A member that is left out keeps its value. */
export interface UserUpdateOptions {
  /** Null removes it. */
  readonly displayName?: string | null | undefined;
  /** Replaces the stored object. */
  readonly clientMetadata?: ClientMetadata | undefined;
  /** Null selects none. */
  readonly selectedTeamId?: string | null | undefined;
  /** The secret of an authenticator app; null turns the second factor off. */
  readonly totpMultiFactorSecret?: Uint8Array | null | undefined;
  /** A base64 data image; servers may set any URL. */
  readonly profileImageUrl?: string | null | undefined;
  /** Whether sign-in with an emailed code or link is possible. */
  readonly otpAuthEnabled?: boolean | undefined;
  /** Only `false` is accepted: it removes the passkeys. */
  readonly passkeyAuthEnabled?: boolean | undefined;
}

/** Changes of a user by a server. */
export interface ServerUserUpdateOptions extends UserUpdateOptions {
  /** Null removes it. */
  readonly primaryEmail?: string | null | undefined;
  /** Whether the address counts as verified. */
  readonly primaryEmailVerified?: boolean | undefined;
  /** Whether the address can be used to sign in. */
  readonly primaryEmailAuthEnabled?: boolean | undefined;
  /** Replaces the stored object. */
  readonly clientReadOnlyMetadata?: ClientReadOnlyMetadata | undefined;
  /** Replaces the stored object. */
  readonly serverMetadata?: ServerMetadata | undefined;
  /** Null removes the password. */
  readonly password?: string | null | undefined;
}

/** Changes of a user. */
export interface UserUpdateMethods {
  /** Changes the given fields; the others stay. */
  update(changes: UserUpdateOptions): Promise<void>;
  /** Null removes it. */
  setDisplayName(displayName: string | null): Promise<void>;
  /** Replaces the stored object. */
  setClientMetadata(metadata: ClientMetadata): Promise<void>;
  /** Null selects none. @throws when the user is not in the team. */
  setSelectedTeam(team: HasId | null): Promise<void>;
  /** Deletes the account and ends the session. A signed-in user needs a project that allows it. */
  delete(): Promise<void>;
}

/** Changes of a user with server access. */
export interface ServerUserUpdateMethods extends UserUpdateMethods {
  /** Changes the given fields; the others stay. */
  update(changes: ServerUserUpdateOptions): Promise<void>;
  /** Sets the address; null removes it. `verified` sets its flag; without it the flag does not change. */
  setPrimaryEmail(email: string | null, options?: { verified?: boolean | undefined }): Promise<void>;
  /** Replaces the stored object. */
  setServerMetadata(metadata: ServerMetadata): Promise<void>;
  /** Replaces the stored object. */
  setClientReadOnlyMetadata(metadata: ClientReadOnlyMetadata): Promise<void>;
}

/** Where the changes of one user go. */
export interface UserChanges<Changes> {
  readonly send: (changes: Changes) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export function userUpdate({ send, remove }: UserChanges<UserUpdateOptions>): UserUpdateMethods {
  return {
    update: send,
    setDisplayName: displayName => send({ displayName }),
    setClientMetadata: clientMetadata => send({ clientMetadata }),
    // A call without types may pass the id instead of the team. Without an id the change would be empty.
    setSelectedTeam: team => send({ selectedTeamId: team === null ? null : String(team.id) }),
    delete: remove,
  };
}

export function serverUserUpdate(changes: UserChanges<ServerUserUpdateOptions>): ServerUserUpdateMethods {
  const { send } = changes;
  return {
    ...userUpdate(changes),
    update: send,
    setPrimaryEmail: (primaryEmail, { verified } = {}) => send({ primaryEmail, primaryEmailVerified: verified }),
    setServerMetadata: serverMetadata => send({ serverMetadata }),
    setClientReadOnlyMetadata: clientReadOnlyMetadata => send({ clientReadOnlyMetadata }),
  };
}

type Body<L extends 'client' | 'server'> = NonNullable<Args<Routes['PATCH /users/me'], L>['body']>;

/** JSON leaves out undefined members. */
export function updateToWire(changes: UserUpdateOptions): Body<'client'> {
  return {
    display_name: changes.displayName,
    client_metadata: changes.clientMetadata as Json | undefined,
    selected_team_id: changes.selectedTeamId,
    totp_secret_base64: changes.totpMultiFactorSecret && toBase64(changes.totpMultiFactorSecret),
    profile_image_url: changes.profileImageUrl,
    otp_auth_enabled: changes.otpAuthEnabled,
    passkey_auth_enabled: changes.passkeyAuthEnabled,
  };
}

export function serverUpdateToWire(changes: ServerUserUpdateOptions): Body<'server'> {
  return {
    ...updateToWire(changes),
    primary_email: changes.primaryEmail,
    primary_email_verified: changes.primaryEmailVerified,
    primary_email_auth_enabled: changes.primaryEmailAuthEnabled,
    client_read_only_metadata: changes.clientReadOnlyMetadata as Json | undefined,
    server_metadata: changes.serverMetadata as Json | undefined,
    password: changes.password,
  };
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
