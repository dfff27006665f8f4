import pg from 'pg';
import { breaksConnection, CommitUnknown, DatabaseAway, isAway, isConflict, isReadOnly, translate } from './errors.ts';
import { type BoundedPool, type BoundedPoolOptions, type Connection, createBoundedPool } from './pool.ts';
import type { Statement } from './sql.ts';
import { type DatabaseTimings, databaseTimings } from './timings.ts';
import { createConnectionWatch } from './watch.ts';

export { CommitUnknown, DatabaseAway, missingProject, violatedConstraint } from './errors.ts';

/** Runs statements: the pool, or one transaction. */
export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /** Runs once the transaction is committed; never when it is rolled back. */
  afterCommit(effect: () => void): void;
}

/** What `transaction` needs. */
export interface Transactional extends Queryable {
  begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface Database extends Transactional {
  /**
   * For writes that may be lost when the machine loses power (activity, counters): they do not wait for the disk.
   * Every write that a caller relies on goes through `query` or `transaction`.
   */
  readonly asyncCommit: Queryable;
  /** For jobs that read or delete many rows: a longer deadline, and like `relaxed`, since such a job is repeated. */
  readonly patient: Transactional;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  /** Connections for requests; six more serve relaxed writes and patient jobs while there are any. */
  readonly poolSize: number;
  /** Called for every failure that makes the database unavailable, of a statement or of an idle connection. */
  readonly onAway?: (error: Error) => void;
  /** A pooler lies in between: no settings of the session, no named statements (PgBouncer knows those since 1.21). */
  readonly isPooled?: boolean;
  /** For statements that ask `current_setting`. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
  readonly timings?: Partial<DatabaseTimings>;
}

const asyncCommitConnections = 4;
/** A purge and one other long job. */
const patientConnections = 2;
/** The server ends a statement on its own a little after the client has given it up. */
const serverGraceMs = 1_000;
const idleTransactionTimeoutMs = 15_000;
const maxConflictRetries = 5;

export function openDatabase(options: DatabaseOptions): Database {
  const { connection, poolSize, onAway = () => undefined } = options;
  const timings = { ...databaseTimings, ...options.timings };
  const watch = createConnectionWatch(connection, timings);
  const open = (max: number, deadlineMs: number, synchronousCommit: 'on' | 'off') =>
    createPoolLane({ connection, max, watch, timings, deadlineMs, onIdleError: onAway }, synchronousCommit, options);
  const lane = open(poolSize, timings.requestMs, 'on');
  const relaxedLane = open(asyncCommitConnections, timings.requestMs, 'off');
  const patientLane = open(patientConnections, timings.patientMs, 'off');

  /** The error for the caller; what makes the database unusable is told to the operator as well. */
  function failed(error: unknown): unknown {
    if (isReadOnly(error)) watch.suspectAll();
    const failure = translate(error);
    if (failure instanceof DatabaseAway) onAway(failure);
    return failure;
  }

  return {
    query: statement => run(lane, statement, failed),
    begin: work => begin(lane, work, failed),
    asyncCommit: { query: statement => run(relaxedLane, statement, failed) },
    patient: {
      query: statement => run(patientLane, statement, failed),
      begin: work => begin(patientLane, work, failed),
    },
    close: async () => {
      await Promise.all([lane, relaxedLane, patientLane].map(({ pool }) => pool.close()));
      watch.close();
    },
  };
}

/** A pool of connections, and how it is spoken to. */
interface PoolLane {
  readonly pool: BoundedPool;
  readonly isPooled: boolean;
  /** The statement that begins a transaction. */
  readonly begin: string;
}

function createPoolLane(
  pool: Omit<BoundedPoolOptions, 'session'>,
  synchronousCommit: 'on' | 'off',
  { isPooled = false, sessionSettings }: DatabaseOptions,
): PoolLane {
  const settings = { synchronous_commit: synchronousCommit, ...sessionSettings };
  const timeouts = {
    statement_timeout: pool.deadlineMs + serverGraceMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  };
  if (!isPooled) {
    const sessionOptions = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const session = { ...timeouts, options: sessionOptions.join(' ') };
    return { pool: createBoundedPool({ ...pool, session }), isPooled, begin: 'begin' };
  }
  // Behind a pooler the next transaction may run on another connection, so each one brings its settings.
  const locals = Object.entries({ ...timeouts, ...settings }).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(String(value))}`,
  );
  return { pool: createBoundedPool({ ...pool, session: {} }), isPooled, begin: ['begin', ...locals].join('; ') };
}

function toQueryConfig({ isPooled }: PoolLane, statement: Statement): pg.QueryConfig {
  return isPooled ? { text: statement.text, values: statement.values } : statement;
}

/**
 * The only way to write more than one statement. Repeats the work when PostgreSQL reports a conflict, so `work` must
 * do nothing but query and compute; joins the transaction when it is given one.
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

/** The one row that a statement must give. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`one row expected, ${rows.length} found`);
  return row;
}

/** One statement is a transaction of its own, so it is repeated like one. */
async function run<Row extends object>(
  lane: PoolLane,
  statement: Statement,
  failed: (error: unknown) => unknown,
): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (lane.isPooled) return await runTransaction(lane, tx => tx.query<Row>(statement));
      return await execute(lane.pool, statement);
    } catch (error) {
      if (attempt <= maxConflictRetries && isConflict(error)) continue;
      // The driver's stack ends at its socket; this one leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw failed(error);
    }
  }
}

function execute<Row extends object>(pool: BoundedPool, statement: Statement): Promise<Row[]> {
  const startedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    pool.take(startedAtMs, (refusal, connection) => {
      if (connection === undefined) return reject(refusal);
      send(connection, statement, (error, result) => {
        pool.giveBack(connection, breaksConnection(error));
        if (error) reject(error);
        else resolve(result.rows as Row[]);
      });
      // The wait for the connection counts.
      connection.busySinceMs = startedAtMs;
    });
  });
}

type Answered = (error: Error | null, result: pg.QueryResult) => void;

function send(connection: Connection, statement: pg.QueryConfig | string, answered: Answered): void {
  (connection as pg.ClientBase).query(statement as pg.QueryConfig, answered);
}

async function begin<T>(
  lane: PoolLane,
  work: (tx: Transaction) => Promise<T>,
  failed: (error: unknown) => unknown,
): Promise<T> {
  try {
    return await runTransaction(lane, work);
  } catch (error) {
    throw failed(error);
  }
}

async function runTransaction<T>(lane: PoolLane, work: (tx: Transaction) => Promise<T>): Promise<T> {
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
        const result = await client.query<Row>(toQueryConfig(lane, statement));
        return result.rows;
      },
      afterCommit: effect => effects.push(effect),
    });
    // A transaction that an error has aborted is rolled back by `commit`, without another error.
    const { command } = await client.query('commit').catch((error: unknown) => {
      throw isAway(error) ? new CommitUnknown('the database went away during a commit', { cause: error }) : error;
    });
    if (command !== 'COMMIT') throw new Error('the work of a transaction went on after one of its statements failed');
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
    // The connection is gone, and the transaction with it.
    return false;
  }
}
