import { setTimeout as delay } from 'node:timers/promises';
import { createFairQueue } from '../platform/fair-queue.ts';
import { refuse } from './refusal.ts';

/** Runs work that stops all other requests of the process while it runs. @throws a 429 when too much work waits */
export type PacedTurns = <T>(owner: string, work: () => T | Promise<T>) => Promise<T>;

export interface PacedTurnsOptions {
  /** What the first work of an owner is expected to take, in milliseconds. */
  readonly expectedMs: number;
  readonly maxWaiting: number;
  /** The sentence of the 429. */
  readonly refusal: string;
  /** The monotonic clock. */
  readonly nowMs?: () => number;
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * One work at a time: other requests then get as much time as it took, owners take turns, and a full queue refuses the owner
 * with most work in it. So such work takes at most half of the time of the process.
 */
export function createPacedTurns({
  expectedMs,
  maxWaiting,
  refusal,
  nowMs = () => performance.now(),
  pause = ms => delay(ms),
}: PacedTurnsOptions): PacedTurns {
  const waiting = createFairQueue<{ start: () => void; refuse: () => void }>({
    maxSize: maxWaiting,
    expectedMs,
    nowMs,
  });
  let isBusy = false;

  /** @returns whether it got a turn; false when the queue has refused it */
  async function takeTurn(owner: string): Promise<boolean> {
    if (isBusy) {
      return new Promise(resolve => {
        waiting.push(owner, { start: () => resolve(true), refuse: () => resolve(false) })?.refuse();
      });
    }
    isBusy = true;
    return true;
  }

  async function passOn(afterMs: number): Promise<void> {
    await pause(afterMs);
    const next = waiting.shift();
    if (next === undefined) isBusy = false;
    else next.start();
  }

  return async (owner, work) => {
    if (!(await takeTurn(owner))) refuse(429, refusal, { headers: { 'retry-after': '1' } });
    const end = waiting.begin(owner);
    const startedAtMs = nowMs();
    try {
      return await work();
    } finally {
      end();
      void passOn(nowMs() - startedAtMs);
    }
  };
}
