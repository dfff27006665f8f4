import { fail, type Json, metadataMaxBytes } from '@tessera/protocol';
import { refuse } from '../../../../http/refusal.ts';
import { isStoredImageUrl } from '../../../images/rules.ts';
import type { PlannedChange, UpdateContext, UserPatch } from '../user-update.ts';

export function planProfile(patch: UserPatch, { level, imagesUrl }: UpdateContext): PlannedChange[] {
  const { displayName, profileImageUrl } = patch;
  if (profileImageUrl != null && level === 'client') assertImageData(profileImageUrl, imagesUrl);
  return [
    ...(displayName === undefined ? [] : [{ kind: 'displayName', value: displayName || null } as const]),
    ...(profileImageUrl === undefined ? [] : [{ kind: 'profileImageUrl', value: profileImageUrl } as const]),
  ];
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

export function planMetadata(patch: UserPatch): PlannedChange[] {
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

export function planSelectedTeam(
  { selectedTeamId }: UserPatch,
  { user, isInSelectedTeam }: UpdateContext,
): PlannedChange[] {
  if (selectedTeamId === undefined) return [];
  if (selectedTeamId !== null && !isInSelectedTeam) {
    fail('TEAM_MEMBERSHIP_NOT_FOUND', { team_id: selectedTeamId, user_id: user.id });
  }
  return [{ kind: 'selectedTeam', teamId: selectedTeamId }];
}
