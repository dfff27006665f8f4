import type { Platform } from '../platform/platform.ts';

const minGapMs = 300;

/**
 * Runs a function one at a time, at least 300 ms between starts. All calls that wait for the same start share one run;
 * a call made during a run waits for the next one.
 */
export function coalesce<T>(run: () => Promise<T>, { now, wait }: Pick<Platform, 'now' | 'wait'>): () => Promise<T> {
  let waiting: Promise<T> | undefined;
  let running: Promise<unknown> | undefined;
  let lastStart = Number.NEGATIVE_INFINITY;

  async function next(): Promise<T> {
    await running;
    const gapMs = lastStart + minGapMs - now();
    if (gapMs > 0) await wait(gapMs);
    waiting = undefined;
    lastStart = now();
    const result = run();
    running = result.catch(() => undefined);
    return result;
  }

  return () => {
    waiting ??= next();
    return waiting;
  };
}
