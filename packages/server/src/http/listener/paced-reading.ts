import type { IncomingMessage } from 'node:http';

/** A body of this size is read without a pause. */
export const atOnceMaxBytes = 64 * 1024;

/** Bodies that are read on in one turn of the event loop. Each gives one or two chunks of 64 KB. */
const readersPerTurn = 4;

const paused: IncomingMessage[] = [];

/**
 * Stops reading a body until it is its turn. Node reads up to 2 MB of a connection at once and of all connections in a row,
 * so the large bodies of a few fast clients would delay all other requests. Control 80.
 */
export function pauseReading(incoming: IncomingMessage): void {
  if (incoming.isPaused()) return;
  incoming.pause();
  paused.push(incoming);
  if (paused.length === 1) setImmediate(readOn);
}

function readOn(): void {
  for (const incoming of paused.splice(0, readersPerTurn)) incoming.resume();
  if (paused.length > 0) setImmediate(readOn);
}
