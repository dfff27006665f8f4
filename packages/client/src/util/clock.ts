/** A server's date has whole seconds and is some time on its way; less than this is no deviation. */
const toleranceMs = 5000;

/** The time as the server has it, for devices whose own is wrong. */
export interface Clock {
  readonly now: () => number;
  /** Compares with the `Date` header of an answer that has just come. */
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
