import { type AccessLevel, type AuditAction, fail } from '@tessera/protocol';
import type { ProjectConfig } from '../../../core/project-config.ts';
import { refuse } from '../../../http/refusal.ts';
import { assertAddressAllowed } from '../../projects/rules.ts';
import type { AnyAccountNotice } from '../users/index.ts';
import type { ContactChannel } from './store.ts';

/** The requested changes; an undefined key leaves the value unchanged. */
export interface ChannelPatch {
  readonly value?: string;
  readonly isPrimary?: boolean;
  readonly isVerified?: boolean;
  readonly usedForAuth?: boolean;
}

/**
 * A channel after a change (docs/contract/users.md#contact-channels). A request with an address makes the channel
 * unverified.
 */
export function applyChannelPatch(channel: ContactChannel, patch: ChannelPatch): ContactChannel {
  const isVerified = patch.isVerified ?? (patch.value === undefined ? channel.isVerified : false);
  return {
    ...channel,
    value: patch.value ?? channel.value,
    isPrimary: patch.isPrimary ?? channel.isPrimary,
    usedForAuth: patch.usedForAuth ?? channel.usedForAuth,
    isVerified,
  };
}

/**
 * Checks an address that a user adds, or makes a sign-in address. The addresses that a user has already can stay.
 *
 * @throws EMAIL_ADDRESS_NOT_ALLOWED
 */
export function assertMayHaveAddress(
  { before, after }: { readonly before: ContactChannel | null; readonly after: ContactChannel },
  { level, project }: { readonly level: AccessLevel; readonly project: { readonly config: ProjectConfig } },
): void {
  const isNew = after.value !== before?.value || (after.usedForAuth && !before.usedForAuth);
  if (level === 'client' && isNew) assertAddressAllowed(after.value, project.config);
}

/**
 * Notices about a change of a channel, for the previous primary address and the changed address (control 68). A plain
 * channel that is not primary causes none. An unverified primary address that is corrected may belong to another person: its
 * notice does not name the new address.
 *
 * @param primaryEmail before the change
 */
export function channelNotices(
  before: ContactChannel | null,
  after: ContactChannel | null,
  primaryEmail: string | null,
): AnyAccountNotice[] {
  const [from, into] = [signInAddress(before), signInAddress(after)];
  if (isCorrection(before, after)) {
    return from === null ? [] : [{ notice: 'sign_in_address_removed', to: [from], about: { changedAddress: from } }];
  }
  const newPrimary = after?.isPrimary === true && primaryEmail !== null && primaryEmail !== after.value;
  // Otherwise the notice about the sign-in address tells.
  const lostPrimary = before?.isPrimary === true && after?.isPrimary !== true && from === into;
  return [
    ...(from === null || from === into
      ? []
      : [{ notice: 'sign_in_address_removed', to: [primaryEmail, from], about: { changedAddress: from } } as const]),
    ...(into === null || from === into
      ? []
      : [{ notice: 'sign_in_address_added', to: [primaryEmail, into], about: { changedAddress: into } } as const]),
    ...(newPrimary
      ? [
          {
            notice: 'primary_email_changed',
            to: [primaryEmail, after.value],
            about: { changedAddress: after.value },
          } as const,
        ]
      : []),
    ...(lostPrimary
      ? [{ notice: 'primary_email_removed', to: [before.value], about: { changedAddress: before.value } } as const]
      : []),
  ];
}

/** Whether the primary address is rewritten before it was verified, for example after a typing error at sign-up. */
function isCorrection(before: ContactChannel | null, after: ContactChannel | null): boolean {
  return before?.isPrimary === true && !before.isVerified && after !== null && after.value !== before.value;
}

function signInAddress(channel: ContactChannel | null): string | null {
  return channel?.usedForAuth === true ? channel.value : null;
}

/**
 * The user whose channels a request names. A client can name its own user only.
 *
 * @throws CANNOT_GET_OWN_USER_WITHOUT_USER, or a text 403
 */
export function resolveChannelOwner<Id extends string | undefined>({
  level,
  user,
  targetUserId,
}: {
  readonly level: AccessLevel;
  readonly user: { readonly id: string } | null;
  readonly targetUserId: Id;
}): Id {
  if (level !== 'client') return targetUserId;
  if (user === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (user.id !== targetUserId) refuse(403, 'Clients can only see and change their own contact channels.');
  return targetUserId;
}

/** The audit action of a change. */
export function channelAction(before: ContactChannel | null, after: ContactChannel | null): AuditAction {
  if (before === null) return 'factor.address_added';
  return after === null ? 'factor.address_removed' : 'factor.address_changed';
}
