import type { AuditAction } from '@tessera/protocol';
import type { AnyAccountNotice } from '../users/index.ts';
import type { ContactChannel } from './store.ts';

/** What is asked to change; an undefined key leaves the value alone. */
export interface ChannelPatch {
  readonly value?: string;
  readonly isPrimary?: boolean;
  readonly isVerified?: boolean;
  readonly usedForAuth?: boolean;
}

/**
 * A channel after a change (docs/contract/users.md#contact-channels). An address that was written again has to be
 * verified again.
 */
export function changedChannel(channel: ContactChannel, patch: ChannelPatch): ContactChannel {
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
 * What has to be told of a change of a channel: to the primary address from before, and to the one that changed (control
 * 68). A channel that neither signs in nor is the primary one is nobody's way in.
 *
 * @param primaryEmail before the change
 */
export function channelNotices(
  before: ContactChannel | null,
  after: ContactChannel | null,
  primaryEmail: string | null,
): AnyAccountNotice[] {
  const [from, into] = [signInAddress(before), signInAddress(after)];
  const newPrimary = after?.isPrimary === true && primaryEmail !== null && primaryEmail !== after.value;
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
  ];
}

function signInAddress(channel: ContactChannel | null): string | null {
  return channel?.usedForAuth === true ? channel.value : null;
}

export type Ownership = 'own' | 'foreign' | 'nobody';

/** Whose channels a caller asks for: clients may touch their own only. */
export function ownership(
  level: 'client' | 'server' | 'admin',
  callerId: string | undefined,
  userId: string | undefined,
): Ownership {
  if (level !== 'client') return 'own';
  if (callerId === undefined) return 'nobody';
  return callerId === userId ? 'own' : 'foreign';
}

/** What a change is to the audit log. */
export function channelAction(before: ContactChannel | null, after: ContactChannel | null): AuditAction {
  if (before === null) return 'factor.address_added';
  return after === null ? 'factor.address_removed' : 'factor.address_changed';
}
