import pg from 'pg';
import { noteCommit } from '../commit-watch.ts';
import { breaksConnection, CommitUnknown, DatabaseAway, isAway, isConflict, translate } from '../errors.ts';
import type { Statement } from '../sql.ts';
import { type BoundedPool, type BoundedPoolOptions, type Connection, createBoundedPool } from './pool.ts';
import type { Transaction } from './queryable.ts';
import { send } from './send.ts';
import { sessionSettings as everySession } from './session-settings.ts';

/** The server cancels a statement this much later than the client gives it up. */
const serverGraceMs = 1_000;
const idleTransactionTimeoutMs = 15_000;
/**
 * After a partition the server drops our dead connections within 25 s instead of two hours, so they do not use up
 * `max_connections`. The server ignores this on a Unix socket.
 */
const serverKeepAlive = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 };
/** How often work is repeated after a conflict with another transaction. */
export const maxConflictRetries = 5;

/** A pool of connections and the settings of its sessions. */
export interface SessionPool {
  readonly pool: BoundedPool;
  readonly isBehindPooler: boolean;
  /** The statement that begins a transaction. */
  readonly begin: string;
  /** Called after each commit of a transaction, or of a single statement. */
  readonly onCommit: (statement?: Statement) => void;
}

/** What all session pools of a database have in common. */
export interface SessionOptions {
  /** The connection leads through a pooler: no session settings, no named statements (PgBouncer has those since 1.21). */
  readonly isBehindPooler?: boolean;
  /** Settings that statements read with `current_setting`. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
}

export function createSessionPool(
  pool: Omit<BoundedPoolOptions, 'settings'>,
  synchronousCommit: 'on' | 'off',
  { isBehindPooler = false, sessionSettings }: SessionOptions,
): SessionPool {
  const onCommit = synchronousCommit === 'on' ? noteCommit : () => undefined;
  const settings = {
    synchronous_commit: synchronousCommit,
    statement_timeout: pool.deadlineMs + serverGraceMs,
    // `statement_timeout` ends with the statements: a commit with a notification waits for the one before it, and a server
    // process that waits for a lock does not see that its client is gone.
    lock_timeout: pool.deadlineMs + serverGraceMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    ...sessionSettings,
  };
  if (!isBehindPooler) {
    const ofSession = { ...everySession, ...serverKeepAlive, ...settings };
    return { pool: createBoundedPool({ ...pool, settings: ofSession }), isBehindPooler, begin: 'begin', onCommit };
  }
  // Behind a pooler the next transaction may use another connection, so each one sets its settings.
  const locals = Object.entries(settings).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(String(value))}`,
  );
  return {
    pool: createBoundedPool({ ...pool, settings: undefined }),
    isBehindPooler,
    begin: [`begin isolation level ${everySession.default_transaction_isolation}`, ...locals].join('; '),
    onCommit,
  };
}

/** A single statement is a transaction of its own, so it is repeated in the same way. */
export async function runStatement<Row extends object>(
  sessions: SessionPool,
  statement: Statement,
  reportFailure: (error: unknown) => unknown,
): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (sessions.isBehindPooler) return await runTransaction(sessions, tx => tx.query<Row>(statement), statement);
      const rows = await execute<Row>(sessions.pool, statement);
      sessions.onCommit(statement);
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

/** Runs `work` on one connection between `begin` and `commit`. @param reportFailure returns the error for the caller */
export async function inTransaction<T>(
  sessions: SessionPool,
  work: (tx: Transaction) => Promise<T>,
  reportFailure: (error: unknown) => unknown,
): Promise<T> {
  try {
    return await runTransaction(sessions, work);
  } catch (error) {
    throw reportFailure(error);
  }
}

/** @param only the statement, when the transaction has one */
async function runTransaction<T>(
  sessions: SessionPool,
  work: (tx: Transaction) => Promise<T>,
  only?: Statement,
): Promise<T> {
  const { pool } = sessions;
  const startedAtMs = performance.now();
  const connection = await new Promise<Connection>((resolve, reject) => {
    pool.take(startedAtMs, (error, taken) => (taken === undefined ? reject(error) : resolve(taken)));
  });
  const client: pg.ClientBase = connection;
  const effects: (() => void)[] = [];
  let isBroken = false;
  try {
    const begun = client.query(sessions.begin);
    connection.busySinceMs = startedAtMs;
    await begun;
    const value = await work({
      query: statement => sendInTransaction(sessions, connection, statement),
      afterCommit: effect => effects.push(effect),
    });
    // `commit` rolls back a transaction that an error has aborted, and reports no error.
    const { command } = await client.query('commit').catch((error: unknown) => {
      throw isAway(error) ? new CommitUnknown('the database went away during a commit', { cause: error }) : error;
    });
    if (command !== 'COMMIT') throw new Error('the work of a transaction continued after one of its statements failed');
    sessions.onCommit(only);
    for (const effect of effects) effect();
    return value;
  } catch (error) {
    isBroken = translate(error) instanceof DatabaseAway || !(await rollBack(client));
    throw error;
  } finally {
    pool.giveBack(connection, isBroken);
  }
}

async function sendInTransaction<Row extends object>(
  { isBehindPooler }: SessionPool,
  connection: Connection,
  statement: Statement,
): Promise<Row[]> {
  const { text, values, maxResultBytes } = statement;
  const sent = isBehindPooler ? { name: undefined, text, values, maxResultBytes } : statement;
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      send<Row>(connection, sent, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  } catch (error) {
    throw withOwnStack(error);
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
