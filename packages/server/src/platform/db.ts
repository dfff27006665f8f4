import pg from 'pg';
import type { Statement } from './sql.ts';

/** Runs statements: the pool, or one transaction. */
export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /** Runs once the transaction is committed; never when it is rolled back. */
  afterCommit(effect: () => void): void;
}

export interface Database extends Queryable {
  /**
   * For writes that may be lost when the machine loses power (activity, counters): they do not wait for the disk.
   * Everything that was acknowledged to somebody goes through `query` or `transaction`.
   */
  readonly relaxed: Queryable;
  begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly connection: pg.ClientConfig;
  /** Connections for requests; a few more serve relaxed writes and the listener. */
  readonly poolSize: number;
  /** A pooler lies in between: no settings of the session, no named statements (PgBouncer knows those since 1.21). */
  readonly isPooled?: boolean;
  readonly onIdleError?: (error: Error) => void;
  /** For statements that ask `current_setting`. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
}

const connectTimeoutMs = 5_000;
/** In milliseconds, as PostgreSQL takes them. */
const sessionTimeouts = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 15_000 };
const relaxedConnections = 4;
/** Requests that may wait for a connection; beyond that the honest answer is to come back later. */
const maxWaiting = 1_000;
const maxConflictRetries = 5;

const int8 = 20;
const numeric = 1700;

/** `count(*)`, `sum` and our times are exact as numbers: milliseconds stay below 2^53 for 285,000 years. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** The database cannot be reached or is starting or stopping: a 503, not a defect. */
export class DatabaseAway extends Error {
  override readonly name: string = 'DatabaseAway';
}

/** The connection broke while a transaction was committed: it is not known whether its writes are in the database. */
export class CommitUnknown extends DatabaseAway {
  override readonly name = 'CommitUnknown';
}

export function openDatabase(options: DatabaseOptions): Database {
  const lane = createLane(options, options.poolSize, 'on');
  const relaxedLane = createLane(options, relaxedConnections, 'off');
  return {
    query: statement => run(lane, statement),
    relaxed: { query: statement => run(relaxedLane, statement) },
    begin: work => begin(lane, work),
    close: async () => {
      await Promise.all([lane.pool.end(), relaxedLane.pool.end()]);
    },
  };
}

/** A pool of connections, and how it is spoken to. */
interface Lane {
  readonly pool: pg.Pool;
  readonly isPooled: boolean;
  /** The statement that begins a transaction. */
  readonly begin: string;
}

function createLane(options: DatabaseOptions, max: number, synchronousCommit: 'on' | 'off'): Lane {
  const settings = { synchronous_commit: synchronousCommit, ...options.sessionSettings };
  if (options.isPooled !== true) {
    const sessionOptions = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const session = { ...sessionTimeouts, options: sessionOptions.join(' ') };
    return { pool: createPool(options, max, session), isPooled: false, begin: 'begin' };
  }
  // Behind a pooler the next transaction may run on another connection, so each one brings its settings.
  const locals = Object.entries({ ...sessionTimeouts, ...settings }).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(String(value))}`,
  );
  return { pool: createPool(options, max, {}), isPooled: true, begin: ['begin', ...locals].join('; ') };
}

function queryOf({ isPooled }: Lane, statement: Statement): pg.QueryConfig {
  return isPooled ? { text: statement.text, values: statement.values } : statement;
}

/**
 * The only way to write more than one statement. Repeats the work when PostgreSQL reports a conflict, so `work` must
 * do nothing but query and compute; joins the transaction when it is given one.
 */
export async function transaction<T>(db: Database | Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
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

/** The name of the unique constraint or index that an insert or update ran into, if that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return undefined;
  return error.constraint;
}

/** The id of the project that a row was to belong to, if that was deleted before the row was written. */
export function missingProject(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23503') return undefined;
  // In every language: `Key (project_id)=(…) is not present in table "projects".`
  return error.constraint?.endsWith('_project_id_fkey') === true
    ? /\(project_id\)=\(([^)]+)\)/.exec(error.detail ?? '')?.[1]
    : undefined;
}

function createPool(options: DatabaseOptions, max: number, session: pg.ClientConfig): pg.Pool {
  const pool = new pg.Pool({
    ...options.connection,
    types,
    max,
    min: 0,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'tessera',
    ...session,
  });
  // A connection that breaks while idle is replaced at the next use; without a listener Node would end the process.
  pool.on('error', error => options.onIdleError?.(error));
  // One that breaks in use fails the statements of whoever uses it; between two of them, only this listener hears it.
  pool.on('connect', client => client.on('error', () => undefined));
  return pool;
}

/** One statement is a transaction of its own, so it is repeated like one. */
async function run<Row extends object>(lane: Lane, statement: Statement): Promise<Row[]> {
  assertRoom(lane.pool);
  for (let attempt = 1; ; attempt++) {
    try {
      if (lane.isPooled) return await begin(lane, tx => tx.query<Row>(statement));
      const result = await lane.pool.query<Row>(statement);
      return result.rows;
    } catch (error) {
      if (attempt > maxConflictRetries || !isConflict(error)) throw translate(error);
    }
  }
}

async function begin<T>(lane: Lane, work: (tx: Transaction) => Promise<T>): Promise<T> {
  assertRoom(lane.pool);
  const client = await lane.pool.connect().catch((error: unknown) => {
    throw translate(error);
  });
  const effects: (() => void)[] = [];
  let broken = false;
  // A connection that breaks while it is ours fails the query that runs, or the next one; without a listener the
  // event would end the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.query(lane.begin);
    const value = await work({
      query: async <Row extends object>(statement: Statement) => {
        const result = await client.query<Row>(queryOf(lane, statement));
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
    const failure = translate(error);
    broken = failure instanceof DatabaseAway || !(await rolledBack(client));
    throw failure;
  } finally {
    client.removeListener('error', ignore);
    client.release(broken);
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    // The connection is gone, and the transaction with it.
    return false;
  }
}

function assertRoom(pool: pg.Pool): void {
  if (pool.waitingCount >= maxWaiting) throw new DatabaseAway('all connections are busy');
}

const conflictCodes = new Set(['40001', '40P01']);

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && conflictCodes.has(error.code ?? '');
}

/** Cut off by its time, shutdown, crash, start-up, too many connections; class 08 is the connection itself. */
const awayCodes = new Set(['57014', '57P01', '57P02', '57P03', '53300', '25P03']);
const awayErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** `pg` reports these without a code. */
const awayMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/;

function translate(error: unknown): unknown {
  return isAway(error) ? new DatabaseAway('the database is away', { cause: error }) : error;
}

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof pg.DatabaseError) return awayCodes.has(code) || code.startsWith('08');
  return awayErrnos.has(code) || awayMessages.test(error.message);
}
