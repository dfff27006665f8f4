/** Client-side time limits of database connections, in milliseconds. Tests give shorter ones. */
export interface DatabaseTimings {
  /** For a request: waiting for a connection and the statement together. A request fails well within five seconds. */
  readonly requestMs: number;
  /** For a job that reads or deletes many rows: the same, for one statement. */
  readonly patientMs: number;
  /** Until a new connection is ready for statements. */
  readonly connectMs: number;
  /** How often overdue statements are looked for. */
  readonly sweepMs: number;
  /** Between two attempts to reach a server that has stopped answering. */
  readonly probeEveryMs: number;
  /** Between two heartbeats of the connection that hears notifications. */
  readonly heartbeatMs: number;
  /** A heartbeat that is not answered in this time ends its connection. */
  readonly heartbeatAnswerMs: number;
  /** After the last answered heartbeat, revocable data is served from memory for this long. */
  readonly hearingMs: number;
  /** Between two looks for workers that have stopped polling the queue, and for jobs of dead workers. */
  readonly workCheckMs: number;
  /** Workers without a completed poll in this time are replaced. */
  readonly stalledMs: number;
}

export const databaseTimings: DatabaseTimings = {
  requestMs: 4_000,
  patientMs: 60_000,
  connectMs: 2_000,
  sweepMs: 250,
  probeEveryMs: 250,
  heartbeatMs: 1_000,
  heartbeatAnswerMs: 2_000,
  hearingMs: 3_000,
  workCheckMs: 2_000,
  stalledMs: 15_000,
};

/** TCP probes find a dead peer 10 s later on Linux: Node sends ten, one second apart. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;
