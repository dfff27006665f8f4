import { listMaxBytes } from '@tessera/protocol/limits';
import type pg from 'pg';
import { connectionCounts } from './connections/counts.ts';
import type { Queryable, Transaction } from './connections/queryable.ts';
import { createReplicaReads } from './connections/replica.ts';
import {
  createSessionPool,
  inTransaction,
  maxConflictRetries,
  runStatement,
  type SessionOptions,
} from './connections/session-pool.ts';
import { type DatabaseTimings, databaseTimings } from './connections/timings.ts';
import { createConnectionWatch } from './connections/watch.ts';
import { DatabaseAway, isConflict, isReadOnly, translate } from './errors.ts';

export type { Queryable, Transaction } from './connections/queryable.ts';
export { CommitUnknown, DatabaseAway, missingProject, ResultTooLarge, violatedConstraint } from './errors.ts';

/** The database, as `transaction` needs it. */
export interface Transactional extends Queryable {
  begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface Database extends Transactional {
  /**
   * For writes that may be lost in a power failure (activity, counters): they do not wait for the disk.
   * Every write that a caller relies on uses `query` or `transaction`.
   */
  readonly asyncCommit: Queryable;
  /**
   * For lists, search, metrics and exports: on the read replica when there is one and it has every acknowledged write,
   * else on the primary. The rows of a statement have at most `listMaxBytes`.
   *
   * @throws ResultTooLarge
   */
  readonly reads: Queryable;
  /** For jobs that read or delete many rows: a longer time limit, and asynchronous commit, since a job is repeated. */
  readonly longRunning: Transactional;
  close(): Promise<void>;
}

export interface DatabaseOptions extends SessionOptions {
  readonly connection: pg.ClientConfig;
  /** Connections for requests. Asynchronous commits and jobs with long statements have their own (`connectionCounts`). */
  readonly poolSize: number;
  /** A read replica with the same credentials, for `reads`. */
  readonly replica?: pg.ClientConfig | undefined;
  /** Called when a statement for the replica goes to the primary. */
  readonly onReplicaFallback?: (error: Error) => void;
  /** Called for each failure that means an unavailable database, of a statement or of an idle connection. */
  readonly onAway?: (error: Error) => void;
  readonly timings?: Partial<DatabaseTimings>;
}

export function openDatabase(options: DatabaseOptions): Database {
  const { connection, poolSize, onAway = () => undefined } = options;
  const timings = { ...databaseTimings, ...options.timings };
  const watch = createConnectionWatch(connection, timings);
  const open = (max: number, deadlineMs: number, synchronousCommit: 'on' | 'off') =>
    createSessionPool({ connection, max, watch, timings, deadlineMs, onIdleError: onAway }, synchronousCommit, options);
  const sessions = open(poolSize, timings.requestMs, 'on');
  const asyncCommitSessions = open(connectionCounts.asyncCommit, timings.requestMs, 'off');
  const longRunningSessions = open(connectionCounts.longRunning, timings.longRunningMs, 'off');

  /** The error for the caller; an unavailable database is reported to the operator as well. */
  function reportFailure(error: unknown): unknown {
    if (isReadOnly(error)) watch.suspectAll();
    const failure = translate(error);
    if (failure instanceof DatabaseAway) onAway(failure);
    return failure;
  }

  const primary: Queryable = { query: statement => runStatement(sessions, statement, reportFailure) };
  const replica = options.replica && openReplica({ ...options, connection: options.replica }, primary);

  return {
    ...primary,
    begin: work => inTransaction(sessions, work, reportFailure),
    reads: withMaxResults(replica?.reads ?? primary),
    asyncCommit: { query: statement => runStatement(asyncCommitSessions, statement, reportFailure) },
    longRunning: {
      query: statement => runStatement(longRunningSessions, statement, reportFailure),
      begin: work => inTransaction(longRunningSessions, work, reportFailure),
    },
    close: async () => {
      await Promise.all([sessions, asyncCommitSessions, longRunningSessions].map(({ pool }) => pool.close()));
      watch.close();
      await replica?.close();
    },
  };
}

/** A list of large rows would fill the memory of the process, and keep it from other requests. */
function withMaxResults(reads: Queryable): Queryable {
  return { query: statement => reads.query(statement.withMaxResult(listMaxBytes)) };
}

function openReplica(
  { connection, poolSize, onReplicaFallback = () => undefined, ...options }: DatabaseOptions,
  primary: Queryable,
): { reads: Queryable; close(): Promise<void> } {
  const timings = { ...databaseTimings, ...options.timings };
  const watch = createConnectionWatch(connection, timings);
  const pool = {
    connection,
    max: poolSize,
    watch,
    timings,
    deadlineMs: timings.requestMs,
    onIdleError: () => undefined,
  };
  const sessions = createSessionPool(pool, 'off', options);
  return {
    reads: createReplicaReads({
      primary,
      onReplica: work => inTransaction(sessions, work, translate),
      onFallback: onReplicaFallback,
    }),
    close: async () => {
      await sessions.pool.close();
      watch.close();
    },
  };
}

/**
 * The only way to write with more than one statement. The work is repeated when PostgreSQL reports a conflict, so `work`
 * must only query and compute. A transaction that is passed as `db` is joined.
 */
export async function transaction<T>(
  db: Transactional | Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if ('afterCommit' in db) return work(db);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.begin(work);
    } catch (error) {
      if (attempt > maxConflictRetries || !isConflict(error)) throw error;
    }
  }
}

/** The only row of a result. Throws for no row and for several rows. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`one row expected, ${rows.length} found`);
  return row;
}
