/** Where the server takes the time from; tests set it. Control 106. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The database's time, asked for by a heartbeat. */
export interface Beat {
  /** The database's time while it answered, in milliseconds since the epoch. */
  readonly databaseMillis: number;
  /** When the heartbeat was sent and when the answer arrived, on the monotonic clock. */
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}

export interface DatabaseClock extends Clock {
  follow(beat: Beat): void;
}

/**
 * The clock of the database, so that all processes agree when a code or a key expires, and a jump of one machine's clock
 * changes nothing. Between heartbeats the monotonic clock of this machine goes on.
 *
 * @param monotonicMs milliseconds that never jump
 */
export function createDatabaseClock(
  monotonicMs = () => performance.now(),
  startMillis = performance.timeOrigin,
): DatabaseClock {
  let offset = startMillis;
  return {
    now: () => Math.floor(monotonicMs() + offset),
    follow({ databaseMillis, sentAtMs, answeredAtMs }) {
      // The answer was written at some moment between the two; an offset that fits needs no correction.
      offset = Math.min(Math.max(offset, databaseMillis - answeredAtMs), databaseMillis - sentAtMs);
    },
  };
}
