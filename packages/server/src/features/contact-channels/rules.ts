import type { ContactChannel } from './store.ts';

/** What is asked to change; an undefined key leaves the value alone. */
export interface ChannelPatch {
  readonly value?: string;
  readonly isPrimary?: boolean;
  readonly isVerified?: boolean;
  readonly usedForAuth?: boolean;
}

/** A channel after a change (users.md 2). An address that was written again has to be verified again. */
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
