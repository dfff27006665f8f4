import { type AccessLevel, fail, type Json, type SystemPermissionId } from '@tessera/protocol';
import { refuse } from '../../http/refusal.ts';
import { assertImageData, assertMetadataFits } from '../accounts/users/profile/rules.ts';

/** The caller of a team endpoint. */
export interface Requester {
  readonly level: AccessLevel;
  /** The user of the access token; null for a signed-out caller. */
  readonly userId: string | null;
}

/** The writable fields of a team; an undefined key leaves the value unchanged. */
export interface TeamFields {
  readonly displayName?: string;
  readonly profileImageUrl?: string | null;
  readonly clientMetadata?: Json;
  readonly clientReadOnlyMetadata?: Json;
  readonly serverMetadata?: Json;
}

/** A new team has a name, which can be empty. */
export interface NewTeamFields extends TeamFields {
  readonly displayName: string;
}

export interface TeamCreation {
  readonly fields: NewTeamFields;
  readonly creatorUserId: string | undefined;
  /** `add_current_user=true`, the older form of `creator_user_id: "me"`. */
  readonly addsCurrentUser: boolean;
  /** The prefix of the URLs of stored images. */
  readonly imagesUrl: string;
}

/**
 * The user whose teams a list shows; undefined for all teams of the project (docs/contract/teams.md#teams).
 *
 * @throws CANNOT_GET_OWN_USER_WITHOUT_USER or a text 403 when a client lists the teams of another user
 */
export function resolveListedUser(userId: string | undefined, requester: Requester): string | undefined {
  if (requester.level !== 'client') return userId;
  if (requester.userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (userId !== requester.userId) refuse(403, 'Clients can only list the teams of the signed-in user.');
  return userId;
}

/**
 * The creator and first member of a new team; null for a team without members. For clients it is always the signed-in
 * user. The checks have the order of docs/contract/teams.md#teams.
 */
export function resolveCreator(
  { fields, creatorUserId, addsCurrentUser, imagesUrl }: TeamCreation,
  requester: Requester,
  config: { readonly clientTeamCreationEnabled: boolean },
): string | null {
  const isClient = requester.level === 'client';
  if (isClient && requester.userId === null) fail('USER_AUTHENTICATION_REQUIRED');
  if (isClient && !config.clientTeamCreationEnabled) refuse(403, 'Users of this project cannot create teams.');
  assertTeamFields(fields, requester.level, imagesUrl);
  if (isClient && creatorUserId !== undefined && creatorUserId !== requester.userId) {
    refuse(403, 'Clients can only create teams for the signed-in user.');
  }
  if (addsCurrentUser && creatorUserId !== undefined) {
    refuse(400, 'Send creator_user_id or add_current_user, not both.');
  }
  if (addsCurrentUser && requester.userId === null) refuse(401, 'There is no signed-in user to add to the team.');
  return isClient || addsCurrentUser ? requester.userId : (creatorUserId ?? null);
}

/** @throws a text 400 for an image that clients cannot set, and for metadata that is too large */
export function assertTeamFields(fields: TeamFields, level: AccessLevel, imagesUrl: string): void {
  const { profileImageUrl } = fields;
  if (level === 'client' && typeof profileImageUrl === 'string') assertImageData(profileImageUrl, imagesUrl);
  for (const metadata of [fields.clientMetadata, fields.clientReadOnlyMetadata, fields.serverMetadata]) {
    if (metadata !== undefined) assertMetadataFits(metadata);
  }
}

/** A user in a team. */
export interface Membership {
  readonly teamId: string;
  readonly userId: string;
}

/**
 * The standard check of a client call on a team (docs/contract/teams.md). A client that is not a member gets the same
 * answer for existing and unknown teams.
 *
 * @param held all permissions of the user in the team, null for a user who is not a member
 * @throws TEAM_MEMBERSHIP_NOT_FOUND, or TEAM_PERMISSION_REQUIRED for the first missing permission
 */
export function assertHolds(
  held: ReadonlySet<string> | null,
  needed: readonly SystemPermissionId[],
  { teamId, userId }: Membership,
): void {
  if (held === null) fail('TEAM_MEMBERSHIP_NOT_FOUND', { team_id: teamId, user_id: userId });
  const missing = needed.find(id => !held.has(id));
  if (missing !== undefined) {
    fail('TEAM_PERMISSION_REQUIRED', { team_id: teamId, user_id: userId, permission_id: missing });
  }
}

const defaultTeamName = 'Personal Team';

/** The name of a team that is created at sign-up (docs/contract/teams.md#team-switches). */
export function deriveTeamName(user: {
  readonly displayName: string | null;
  readonly primaryEmail: string | null;
}): string {
  const owner = user.displayName ?? user.primaryEmail;
  return owner === null ? defaultTeamName : `${owner}'s Team`;
}
