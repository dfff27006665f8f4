import { orThrow, toResult } from '../errors/result.ts';

/** Delays all cache writes of asynchronous values while an operation runs, e.g. a sign-out. */
export interface WriteLock {
  hold<T>(run: () => Promise<T>): Promise<T>;
  /** Resolves when the lock is free. */
  waitForRelease(): Promise<void>;
}

export function createWriteLock(): WriteLock {
  const holders = new Set<Promise<unknown>>();
  return {
    async hold(run) {
      const running = toResult(run());
      holders.add(running);
      const result = await running;
      holders.delete(running);
      return orThrow(result);
    },
    async waitForRelease() {
      while (holders.size > 0) await Promise.all(holders);
    },
  };
}
