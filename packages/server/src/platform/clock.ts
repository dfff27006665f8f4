/** The source of the current time; tests replace it. Control 106. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The time of the database, as a heartbeat reports it. */
export interface Beat {
  /** The time of the database when it responded, in milliseconds since the epoch. */
  readonly databaseMillis: number;
  /** When the heartbeat was sent and when its response arrived, on the monotonic clock. */
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}

export interface DatabaseClock extends Clock {
  follow(beat: Beat): void;
}

/**
 * The clock of the database. All processes agree on when a code or a key expires, and a jump of the clock of one machine
 * has no effect. Between heartbeats the monotonic clock of this process is used.
 *
 * @param monotonicMs milliseconds of a clock that never jumps
 */
export function createDatabaseClock(
  monotonicMs = () => performance.now(),
  startMillis = performance.timeOrigin,
): DatabaseClock {
  let offset = startMillis;
  return {
    now: () => Math.floor(monotonicMs() + offset),
    follow({ databaseMillis, sentAtMs, answeredAtMs }) {
      // The response was written at some moment between the two; an offset in that range needs no correction.
      offset = Math.min(Math.max(offset, databaseMillis - answeredAtMs), databaseMillis - sentAtMs);
    },
  };
}
