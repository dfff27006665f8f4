import type { MessageRow } from './store.ts';

/** Why a message is not sent to a user. */
export interface AudienceCounts {
  readonly matching: number;
  readonly withoutAddress: number;
  readonly unsubscribed: number;
}

/** The users that a message reaches. */
export function countReachable({ matching, withoutAddress, unsubscribed }: AudienceCounts): number {
  return matching - withoutAddress - unsubscribed;
}

/** A batch of a message: the next users, or none while the message is not sent. */
type BatchStep = 'ended' | 'wait' | 'next';

/** Decides what a job does with its message. */
export function planBatch(
  message: Pick<MessageRow, 'state'> | undefined,
  { waiting, waitingMax }: { waiting: number; waitingMax: number },
): BatchStep {
  if (message?.state !== 'sending') return 'ended';
  return waiting >= waitingMax ? 'wait' : 'next';
}
