import { planPrimaryEmail } from './primary-email/rules.ts';
import { planMetadata, planProfile, planSelectedTeam } from './profile/rules.ts';
import { planPassword, planSwitches } from './sign-in-methods/rules.ts';
import type { PlannedChange, UpdateContext, UserPatch } from './user-update.ts';

/** True for a change of the ownership record: the server metadata of a user of `internal` names the projects of the user. */
export function changesOwnership(
  { serverMetadata }: Pick<UserPatch, 'serverMetadata'>,
  { id }: { readonly id: string },
): boolean {
  return id === 'internal' && serverMetadata !== undefined;
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
