import { contactChannelsMax } from '@tessera/protocol';
import { refuse } from '../../../../http/refusal.ts';
import type { PlannedChange, UpdateContext, UserPatch } from '../user-update.ts';

/** @throws a text 400 for a user who already has the maximum number of contact channels */
export function assertMayAddChannel(channelCount: number): void {
  if (channelCount >= contactChannelsMax)
    refuse(400, `A user can have ${contactChannelsMax} contact channels at most.`);
}

/** The normalized spelling of an address (control 73; docs/contract/decisions.md#controls-and-the-contract). */
export function normalizedEmail(address: string): string {
  return address.trim().toLowerCase();
}

/** @throws a text 400 for an address that is verified or signs in, when the user has none */
export function assertFlagsHaveAddress(
  address: string | null,
  {
    primaryEmailVerified,
    primaryEmailAuthEnabled,
  }: Pick<UserPatch, 'primaryEmailVerified' | 'primaryEmailAuthEnabled'>,
): void {
  if (address === null && (primaryEmailVerified === true || primaryEmailAuthEnabled === true))
    refuse(400, 'Without a primary email there is nothing to verify or to sign in with.');
}

export function planPrimaryEmail(
  patch: UserPatch,
  { user, ownsNewAddress, channelCount }: UpdateContext,
): PlannedChange[] {
  const { primaryEmail: value, primaryEmailVerified: isVerified, primaryEmailAuthEnabled: usedForAuth } = patch;
  const resulting = value === undefined ? user.primaryEmail : value;
  assertFlagsHaveAddress(resulting, patch);
  if (resulting === null) return value === null && user.primaryEmail !== null ? [{ kind: 'deletePrimaryEmail' }] : [];
  if (value === undefined && isVerified === undefined && usedForAuth === undefined) return [];
  if (resulting !== user.primaryEmail && ownsNewAddress) {
    return [{ kind: 'switchPrimaryEmail', value: resulting, isVerified, usedForAuth }];
  }
  if (user.primaryEmail === null) assertMayAddChannel(channelCount);
  return [
    {
      kind: user.primaryEmail === null ? 'createPrimaryEmail' : 'updatePrimaryEmail',
      value: resulting,
      isVerified: isVerified ?? user.primaryEmailVerified,
      usedForAuth: usedForAuth ?? user.primaryEmailAuthEnabled,
    },
  ];
}
