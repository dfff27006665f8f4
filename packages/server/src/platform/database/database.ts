import { listMaxBytes } from '@tessera/protocol/limits';
import pg from 'pg';
import { noteCommit } from './commit-watch.ts';
import { connectionCounts } from './connections/counts.ts';
import { type BoundedPool, type BoundedPoolOptions, type Connection, createBoundedPool } from './connections/pool.ts';
import { createReplicaReads } from './connections/replica.ts';
import { send } from './connections/send.ts';
import { type DatabaseTimings, databaseTimings } from './connections/timings.ts';
import { createConnectionWatch } from './connections/watch.ts';
import { breaksConnection, CommitUnknown, DatabaseAway, isAway, isConflict, isReadOnly, translate } from './errors.ts';
import type { Statement } from './sql.ts';

export { CommitUnknown, DatabaseAway, missingProject, ResultTooLarge, violatedConstraint } from './errors.ts';

/** Runs statements: the pool, or one transaction. */
export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /** Registers an effect that runs after the commit; never after a rollback. */
  afterCommit(effect: () => void): void;
}

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

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  /** Connections for requests. Asynchronous commits and jobs with long statements have their own (`connectionCounts`). */
  readonly poolSize: number;
  /** A read replica with the same credentials, for `reads`. */
  readonly replica?: pg.ClientConfig | undefined;
  /** Called when a statement for the replica goes to the primary. */
  readonly onReplicaFallback?: (error: Error) => void;
  /** Called for each failure that means an unavailable database, of a statement or of an idle connection. */
  readonly onAway?: (error: Error) => void;
  /** The connection leads through a pooler: no session settings, no named statements (PgBouncer has those since 1.21). */
  readonly isPooled?: boolean;
  /** Settings that statements read with `current_setting`. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
  readonly timings?: Partial<DatabaseTimings>;
}

/** The server cancels a statement this much later than the client gives it up. */
const serverGraceMs = 1_000;
const idleTransactionTimeoutMs = 15_000;
/**
 * After a partition the server drops our dead connections within 25 s instead of two hours, so they do not use up
 * `max_connections`. The server ignores this on a Unix socket.
 */
const serverKeepAlive = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };
const maxConflictRetries = 5;

export function openDatabase(options: DatabaseOptions): Database {
  const { connection, poolSize, onAway = () => undefined } = options;
  const timings = { ...databaseTimings, ...options.timings };
  const watch = createConnectionWatch(connection, timings);
  const open = (max: number, deadlineMs: number, synchronousCommit: 'on' | 'off') =>
    createPoolLane({ connection, max, watch, timings, deadlineMs, onIdleError: onAway }, synchronousCommit, options);
  const lane = open(poolSize, timings.requestMs, 'on');
  const asyncCommitLane = open(connectionCounts.asyncCommit, timings.requestMs, 'off');
  const longRunningLane = open(connectionCounts.longRunning, timings.longRunningMs, 'off');

  /** The error for the caller; an unavailable database is reported to the operator as well. */
  function reportFailure(error: unknown): unknown {
    if (isReadOnly(error)) watch.suspectAll();
    const failure = translate(error);
    if (failure instanceof DatabaseAway) onAway(failure);
    return failure;
  }

  const primary: Queryable = { query: statement => run(lane, statement, reportFailure) };
  const replica = options.replica && openReplica({ ...options, connection: options.replica }, primary);

  return {
    ...primary,
    begin: work => begin(lane, work, reportFailure),
    reads: withMaxResults(replica?.reads ?? primary),
    asyncCommit: { query: statement => run(asyncCommitLane, statement, reportFailure) },
    longRunning: {
      query: statement => run(longRunningLane, statement, reportFailure),
      begin: work => begin(longRunningLane, work, reportFailure),
    },
    close: async () => {
      await Promise.all([lane, asyncCommitLane, longRunningLane].map(({ pool }) => pool.close()));
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
  const lane = createPoolLane(pool, 'off', options);
  return {
    reads: createReplicaReads({
      primary,
      onReplica: work => begin(lane, work, translate),
      onFallback: onReplicaFallback,
    }),
    close: async () => {
      await lane.pool.close();
      watch.close();
    },
  };
}

/** A pool of connections and the settings of its sessions. */
interface PoolLane {
  readonly pool: BoundedPool;
  readonly isPooled: boolean;
  /** The statement that begins a transaction. */
  readonly begin: string;
  /** Called after each commit of a transaction, or of a single statement. */
  readonly onCommit: (statement?: Statement) => void;
}

function createPoolLane(
  pool: Omit<BoundedPoolOptions, 'session'>,
  synchronousCommit: 'on' | 'off',
  { isPooled = false, sessionSettings }: Pick<DatabaseOptions, 'isPooled' | 'sessionSettings'>,
): PoolLane {
  const settings = { synchronous_commit: synchronousCommit, ...sessionSettings };
  const onCommit = synchronousCommit === 'on' ? noteCommit : () => undefined;
  const timeouts = {
    statement_timeout: pool.deadlineMs + serverGraceMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  };
  if (!isPooled) {
    const sessionOptions = Object.entries({ ...settings, ...serverKeepAlive }).map(
      ([name, value]) => `-c ${name}=${value}`,
    );
    const session = { ...timeouts, options: sessionOptions.join(' ') };
    return { pool: createBoundedPool({ ...pool, session }), isPooled, begin: 'begin', onCommit };
  }
  // Behind a pooler the next transaction may use another connection, so each one sets its settings.
  const locals = Object.entries({ ...timeouts, ...settings }).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(String(value))}`,
  );
  return {
    pool: createBoundedPool({ ...pool, session: {} }),
    isPooled,
    begin: ['begin', ...locals].join('; '),
    onCommit,
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

/** A single statement is a transaction of its own, so it is repeated in the same way. */
async function run<Row extends object>(
  lane: PoolLane,
  statement: Statement,
  reportFailure: (error: unknown) => unknown,
): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (lane.isPooled) return await runTransaction(lane, tx => tx.query<Row>(statement), statement);
      const rows = await execute<Row>(lane.pool, statement);
      lane.onCommit(statement);
      return rows;
    } catch (error) {
      if (attempt <= maxConflictRetries && isConflict(error)) continue;
      throw reportFailure(withOwnStack(error));
    }
  }
}

/** The driver's stack ends at its socket; this one includes the caller. */
function withOwnStack(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error);
  return error;
}

function execute<Row extends object>(pool: BoundedPool, statement: Statement): Promise<Row[]> {
  const startedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    pool.take(startedAtMs, (refusal, connection) => {
      if (connection === undefined) return reject(refusal);
      send<Row>(connection, statement, (error, rows) => {
        pool.giveBack(connection, breaksConnection(error));
        if (error) reject(error);
        else resolve(rows);
      });
      // The time limit includes the wait for the connection.
      connection.busySinceMs = startedAtMs;
    });
  });
}

async function begin<T>(
  lane: PoolLane,
  work: (tx: Transaction) => Promise<T>,
  reportFailure: (error: unknown) => unknown,
): Promise<T> {
  try {
    return await runTransaction(lane, work);
  } catch (error) {
    throw reportFailure(error);
  }
}

/** @param only the statement, when the transaction has one */
async function runTransaction<T>(lane: PoolLane, work: (tx: Transaction) => Promise<T>, only?: Statement): Promise<T> {
  const { pool } = lane;
  const startedAtMs = performance.now();
  const connection = await new Promise<Connection>((resolve, reject) => {
    pool.take(startedAtMs, (error, taken) => (taken === undefined ? reject(error) : resolve(taken)));
  });
  const client: pg.ClientBase = connection;
  const effects: (() => void)[] = [];
  let isBroken = false;
  try {
    const begun = client.query(lane.begin);
    connection.busySinceMs = startedAtMs;
    await begun;
    const value = await work({
      query: async <Row extends object>(statement: Statement) => {
        const { text, values, maxResultBytes } = statement;
        const sent = lane.isPooled ? { name: undefined, text, values, maxResultBytes } : statement;
        try {
          return await new Promise<Row[]>((resolve, reject) => {
            send<Row>(connection, sent, (error, rows) => (error ? reject(error) : resolve(rows)));
          });
        } catch (error) {
          throw withOwnStack(error);
        }
      },
      afterCommit: effect => effects.push(effect),
    });
    // `commit` rolls back a transaction that an error has aborted, and reports no error.
    const { command } = await client.query('commit').catch((error: unknown) => {
      throw isAway(error) ? new CommitUnknown('the database went away during a commit', { cause: error }) : error;
    });
    if (command !== 'COMMIT') throw new Error('the work of a transaction continued after one of its statements failed');
    lane.onCommit(only);
    for (const effect of effects) effect();
    return value;
  } catch (error) {
    isBroken = translate(error) instanceof DatabaseAway || !(await rollBack(client));
    throw error;
  } finally {
    pool.giveBack(connection, isBroken);
  }
}

async function rollBack(client: pg.ClientBase): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    // The connection is closed, so the server has rolled back.
    return false;
  }
}
