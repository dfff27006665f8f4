/** A `Date` header has whole seconds and travel time. A smaller difference is not a clock error. */
const toleranceMs = 5000;

/** The server's time, for devices with a wrong clock. */
export interface Clock {
  readonly now: () => number;
  /** Compares the clock with the `Date` header of a new response. */
  readonly learn: (answer: Response) => void;
}

export function createClock(now: () => number): Clock {
  let offsetMs = 0;
  return {
    now: () => now() + offsetMs,
    learn(answer) {
      const seenMs = Date.parse(answer.headers.get('date') ?? '') - now();
      if (Number.isNaN(seenMs)) return;
      offsetMs = Math.abs(seenMs) > toleranceMs ? seenMs : 0;
    },
  };
}
