import { setTimeout as delay } from 'node:timers/promises';
import type { Log, Postmaster } from './postmaster.ts';

const firstPauseMs = 50;
const longestPauseMs = 5_000;

const notRunning: Postmaster = { stop: async () => undefined };

/**
 * Starts PostgreSQL, and restarts it whenever it ends unexpectedly; meanwhile requests are refused with a 503. The first
 * start must succeed; a restart is repeated until it does.
 */
export async function keepRunning(
  startOnce: (onUnexpectedEnd: () => void) => Promise<Postmaster>,
  log: Log,
): Promise<Postmaster> {
  const stopping = new AbortController();
  let current = startOnce(restart);
  await current;

  function restart(): void {
    if (!stopping.signal.aborted) current = startAgain(firstPauseMs);
  }

  async function startAgain(pauseMs: number): Promise<Postmaster> {
    await delay(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return notRunning;
    try {
      const postmaster = await startOnce(restart);
      log('PostgreSQL runs again');
      return postmaster;
    } catch (error) {
      log('PostgreSQL could not be started again, and is tried once more', { error });
      return startAgain(Math.min(pauseMs * 2, longestPauseMs));
    }
  }

  return {
    async stop() {
      stopping.abort();
      const postmaster = await current;
      await postmaster.stop();
    },
  };
}
