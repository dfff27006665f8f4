/** A clock that a test advances. It advances only when no work of the current time is left. */
export interface SetTime {
  now(): number;
  /** Runs something later. @returns the undo. */
  at(delayMs: number, run: () => void): () => void;
  wait(delayMs: number): Promise<void>;
  /** Lets so much time pass. */
  pass(delayMs: number): Promise<void>;
}

interface Due {
  readonly time: number;
  readonly order: number;
  readonly run: () => void;
}

const start = Date.UTC(2026, 0, 1);

/** @param chunksLoaded resolves when no chunk is being loaded; the default expects that every chunk was loaded before */
export function createTime(chunksLoaded?: () => Promise<void>): SetTime {
  let now = start;
  let count = 0;
  let due: Due[] = [];

  function at(delayMs: number, run: () => void): () => void {
    count++;
    const own = { time: now + Math.max(0, delayMs), order: count, run };
    due.push(own);
    return () => {
      due = due.filter(other => other !== own);
    };
  }

  function next(until: number): Due | undefined {
    return due
      .filter(({ time }) => time <= until)
      .sort((a, b) => a.time - b.time || a.order - b.order)
      .at(0);
  }

  async function pass(delayMs: number): Promise<void> {
    const until = now + delayMs;
    await settle(chunksLoaded);
    for (let event = next(until); event !== undefined; event = next(until)) {
      const current = event;
      due = due.filter(other => other !== current);
      now = Math.max(now, current.time);
      current.run();
      await settle(chunksLoaded);
    }
    now = until;
  }

  return { now: () => now, at, wait: delayMs => new Promise(resolve => at(delayMs, resolve)), pass };
}

/** Runs promise callbacks, and waits for chunks. */
async function settle(chunksLoaded?: () => Promise<void>): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
  await chunksLoaded?.();
}
