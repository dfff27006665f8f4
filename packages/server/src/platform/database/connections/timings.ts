/** Client-side time limits of database connections, in milliseconds. Tests set shorter ones. */
export interface DatabaseTimings {
  /** For a request: the wait for a connection and the statement together. A request fails well within five seconds. */
  readonly requestMs: number;
  /** The same for a statement of a job that reads or deletes many rows. */
  readonly longRunningMs: number;
  /** Time until a new connection is ready for statements. */
  readonly connectMs: number;
  /** Interval of the check for overdue statements. */
  readonly sweepMs: number;
  /** Pause between two attempts to reach a server that does not respond. */
  readonly probeEveryMs: number;
  /** Pause between two heartbeats of the connection that receives notifications. */
  readonly heartbeatMs: number;
  /** A heartbeat without a response in this time ends its connection. */
  readonly heartbeatAnswerMs: number;
  /** After the last successful heartbeat, revocable data is served from the cache for this long. */
  readonly hearingMs: number;
  /** Interval of the checks for workers that do not poll the queue, and for jobs of dead workers. */
  readonly workCheckMs: number;
  /** Workers without a completed poll in this time are replaced. */
  readonly stalledMs: number;
}

export const databaseTimings: DatabaseTimings = {
  requestMs: 4_000,
  longRunningMs: 60_000,
  connectMs: 2_000,
  sweepMs: 250,
  probeEveryMs: 250,
  heartbeatMs: 1_000,
  heartbeatAnswerMs: 2_000,
  hearingMs: 3_000,
  workCheckMs: 2_000,
  stalledMs: 15_000,
};

/** TCP probes detect a dead peer 10 s later on Linux: Node sends ten, one second apart. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;
