/** Runs a limited number of operations per key at a time; the others wait in order. */
export interface ConcurrencyLimiter {
  /** @returns undefined, without running the work, when too many callers wait */
  take<T>(key: string, work: () => Promise<T>): Promise<{ value: T } | undefined>;
}

export function createConcurrencyLimiter({
  atOnce,
  maxWaiting,
}: {
  atOnce: number;
  maxWaiting: number;
}): ConcurrencyLimiter {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>();

  function leave(key: string, line: { running: number; waiting: (() => void)[] }): void {
    const next = line.waiting.shift();
    if (next !== undefined) next();
    else line.running -= 1;
    if (line.running === 0) lines.delete(key);
  }

  return {
    async take(key, work) {
      const line = lines.get(key) ?? { running: 0, waiting: [] };
      lines.set(key, line);
      if (line.running < atOnce) line.running += 1;
      else if (line.waiting.length >= maxWaiting) return undefined;
      else await new Promise<void>(resolve => line.waiting.push(resolve));
      try {
        return { value: await work() };
      } finally {
        leave(key, line);
      }
    },
  };
}
