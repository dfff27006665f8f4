import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '../../../http/refusal.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';

/** Runs work that stops all other requests of the process while it runs. @throws a 429 when too much work waits */
export type RenderingTurns = <T>(projectId: string, work: () => Promise<T>) => Promise<T>;

/** What the first work of a project is expected to take. */
const expectedMs = 100;
const maxWaiting = 50;

interface RenderingTurnsOptions {
  /** The monotonic clock. */
  readonly nowMs?: () => number;
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * A long email stops all requests of the process for up to a quarter of a second. So one at a time is rendered, other
 * requests then get as much time as it took, projects take turns, and a full queue refuses the project with most work in it.
 */
export function createRenderingTurns({
  nowMs = () => performance.now(),
  pause = ms => delay(ms),
}: RenderingTurnsOptions = {}): RenderingTurns {
  const waiting = createFairQueue<{ start: () => void; refuse: () => void }>({
    maxSize: maxWaiting,
    expectedMs,
    nowMs,
  });
  let isBusy = false;

  /** @returns whether it got a turn; false when the queue has refused it */
  async function takeTurn(projectId: string): Promise<boolean> {
    if (isBusy) {
      return new Promise(resolve => {
        waiting.push(projectId, { start: () => resolve(true), refuse: () => resolve(false) })?.refuse();
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

  return async (projectId, work) => {
    if (!(await takeTurn(projectId))) {
      refuse(429, 'Too many long emails are being rendered.', { headers: { 'retry-after': '1' } });
    }
    const end = waiting.begin(projectId);
    const startedAtMs = nowMs();
    try {
      return await work();
    } finally {
      end();
      void passOn(nowMs() - startedAtMs);
    }
  };
}
