import type { Platform } from '../platform/platform.ts';

/** The minimum time between two starts in a page, where many components read at once. */
export const pageGapMs = 300;

/**
 * Runs a function one at a time, with at least `minGapMs` between starts. Calls that wait for the same start share one
 * run. A call during a run waits for the next run.
 */
export function coalesce<T>(
  run: () => Promise<T>,
  { now, wait }: Pick<Platform, 'now' | 'wait'>,
  minGapMs: number,
): () => Promise<T> {
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
    // Without the value, which this function would keep until the next run.
    running = result.then(nothing, nothing);
    return result;
  }

  return () => {
    waiting ??= next();
    return waiting;
  };
}

function nothing(): void {}
