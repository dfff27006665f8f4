import type { AudienceCounts, Backlog } from './store.ts';

/** The users that a message reaches. */
export function countReachable({ matching, withoutAddress, unsubscribed }: AudienceCounts): number {
  return matching - withoutAddress - unsubscribed;
}

/** A batch of a message: the next users, or none while the message is not sent. */
export type BatchStep = 'ended' | 'wait' | 'next';

/** Decides what a job does with its message. */
export function planBatch(backlog: Backlog | undefined, { waitingMax }: { waitingMax: number }): BatchStep {
  if (backlog?.state !== 'sending') return 'ended';
  return backlog.waiting >= waitingMax ? 'wait' : 'next';
}
