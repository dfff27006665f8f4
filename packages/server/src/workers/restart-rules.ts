/** Crashes that are older do not count. */
export const crashWindowMs = 60_000;
/** More crashes of all workers within the window are a crash loop. */
export const maxCrashes = 5;
const firstDelayMs = 100;

export type RestartPlan = { readonly delayMs: number } | 'give up';

/**
 * Decides what follows the crash of a worker.
 *
 * @param crashesAtMs all crashes so far, the newest one included, on one clock
 */
export function planRestart(crashesAtMs: readonly number[], nowMs: number): RestartPlan {
  const recent = crashesAtMs.filter(at => nowMs - at < crashWindowMs).length;
  return recent > maxCrashes ? 'give up' : { delayMs: firstDelayMs * 2 ** Math.max(recent - 1, 0) };
}
