import { orThrow, settled } from '../errors/result.ts';

/** Holds back what caches store of asynchronous values while something runs, e.g. a sign-out. */
export interface WriteLock {
  hold<T>(run: () => Promise<T>): Promise<T>;
  /** Resolves when nothing holds the lock. */
  released(): Promise<void>;
}

export function createWriteLock(): WriteLock {
  const holders = new Set<Promise<unknown>>();
  return {
    async hold(run) {
      const running = settled(run());
      holders.add(running);
      const result = await running;
      holders.delete(running);
      return orThrow(result);
    },
    async released() {
      while (holders.size > 0) await Promise.all(holders);
    },
  };
}
