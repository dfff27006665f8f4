import { type AccessLevel, fail, type Json, type SystemPermissionId } from '@tessera/protocol';
import { refuse } from '../../http/refusal.ts';
import { assertImageData, assertMetadataFits } from '../accounts/users/rules.ts';

/** Who asks, as far as teams are concerned. */
export interface Asker {
  readonly level: AccessLevel;
  /** The user of the access token; null when nobody is signed in. */
  readonly userId: string | null;
}

/** What can be written of a team; an undefined key leaves the value alone. */
export interface TeamFields {
  readonly displayName?: string;
  readonly profileImageUrl?: string | null;
  readonly clientMetadata?: Json;
  readonly clientReadOnlyMetadata?: Json;
  readonly serverMetadata?: Json;
}

/** A team has a name from the start; it may be empty. */
export interface NewTeamFields extends TeamFields {
  readonly displayName: string;
}

export interface TeamCreation {
  readonly fields: NewTeamFields;
  readonly creatorUserId: string | undefined;
  /** `add_current_user=true`, the older way to name the creator. */
  readonly addsCurrentUser: boolean;
  /** The beginning of the URLs of stored images. */
  readonly imagesUrl: string;
}

/**
 * Whose teams a list shows; undefined for all teams of the project (docs/contract/teams.md#teams).
 *
 * @throws CANNOT_GET_OWN_USER_WITHOUT_USER or a text 403 when a client asks for teams that are not its user's
 */
export function listedUser(userId: string | undefined, asker: Asker): string | undefined {
  if (asker.level !== 'client') return userId;
  if (asker.userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (userId !== asker.userId) refuse(403, 'Clients can only list the teams of the signed-in user.');
  return userId;
}

/**
 * Who becomes creator and first member of a new team: null for a team without members. For clients that is always the
 * signed-in user; the checks are in the order of docs/contract/teams.md#teams.
 */
export function creatorOf(
  { fields, creatorUserId, addsCurrentUser, imagesUrl }: TeamCreation,
  asker: Asker,
  config: { readonly clientTeamCreationEnabled: boolean },
): string | null {
  const isClient = asker.level === 'client';
  if (isClient && asker.userId === null) fail('USER_AUTHENTICATION_REQUIRED');
  if (isClient && !config.clientTeamCreationEnabled) refuse(403, 'Users of this project cannot create teams.');
  assertTeamFields(fields, asker.level, imagesUrl);
  if (isClient && creatorUserId !== undefined && creatorUserId !== asker.userId) {
    refuse(403, 'Clients can only create teams for the signed-in user.');
  }
  if (addsCurrentUser && creatorUserId !== undefined) {
    refuse(400, 'Send creator_user_id or add_current_user, not both.');
  }
  if (addsCurrentUser && asker.userId === null) refuse(401, 'There is no signed-in user to add to the team.');
  return isClient || addsCurrentUser ? asker.userId : (creatorUserId ?? null);
}

/** @throws a text 400 for an image that is not a client's to set, and for metadata that is too large */
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
 * The standard answers of a client-level check on a team (docs/contract/teams.md): for who is not in it, it might as
 * well not exist.
 *
 * @param held all that the user may do in the team, null for who is no member
 * @throws TEAM_MEMBERSHIP_NOT_FOUND, or TEAM_PERMISSION_REQUIRED for the first one missing
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

const nameOfNobodysTeam = 'Personal Team';

/** What the team that is made at sign-up is called (docs/contract/teams.md#team-switches). */
export function teamNameFor(user: {
  readonly displayName: string | null;
  readonly primaryEmail: string | null;
}): string {
  const owner = user.displayName ?? user.primaryEmail;
  return owner === null ? nameOfNobodysTeam : `${owner}'s Team`;
}
