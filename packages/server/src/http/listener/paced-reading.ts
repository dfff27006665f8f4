import type { IncomingMessage } from 'node:http';
import { createLoopTurns } from './loop-turns.ts';

/** A body of this size is read without a pause. */
export const atOnceMaxBytes = 64 * 1024;

/** Each body that is read on gives one or two chunks of 64 KB. */
const inTurn = createLoopTurns(4);

/**
 * Stops reading a body until it is its turn. Node reads up to 2 MB of a connection at once and of all connections in a row,
 * so the large bodies of a few fast clients would delay all other requests.
 */
export function pauseReading(incoming: IncomingMessage): void {
  if (incoming.isPaused()) return;
  incoming.pause();
  inTurn(() => incoming.resume());
}
