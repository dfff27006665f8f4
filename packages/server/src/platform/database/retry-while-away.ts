import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../observability/log.ts';
import { DatabaseAway, isAway } from './errors.ts';

const waitMs = 30_000;
const retryMs = 500;

/**
 * Repeats a step of the start while the database is away or cannot write, for half a minute: a process that ends at once is
 * started again until its service manager gives up, although the database may be back soon.
 *
 * @throws the reason of `signal` as soon as it aborts
 */
export function retryWhileAway<T>(work: () => Promise<T>, log: Log, signal: AbortSignal): Promise<T> {
  return Promise.race([retry(work, log, signal), rejectOnAbort(signal)]);
}

async function retry<T>(work: () => Promise<T>, log: Log, signal: AbortSignal): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > deadline) throw error;
      log.warn({ error }, 'waiting for the database');
      await pause(retryMs);
    }
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A migration that fails has the error of the database as its cause. */
function isDatabaseAway(error: unknown): boolean {
  return error instanceof DatabaseAway || isAway(error) || (error instanceof Error && isAway(error.cause));
}
