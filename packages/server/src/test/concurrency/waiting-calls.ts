import { unreachable } from '../../http/refusal.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import type { TestServer } from '../harness.ts';

/** Starts work, deletes the user while the work waits for the row, and returns the result of the work. */
export function whileDeleting<T>(server: TestServer, userId: string, work: () => Promise<T>): Promise<T> {
  return whileWriting(server, sql`delete from users where id = ${userId}`, work);
}

/** As `whileDeleting`, for the whole project. */
export function whileDeletingProject<T>(server: TestServer, projectId: string, work: () => Promise<T>): Promise<T> {
  return whileWriting(server, sql`delete from projects where id = ${projectId}`, work);
}

async function whileWriting<T>(server: TestServer, statement: Statement, work: () => Promise<T>): Promise<T> {
  let working: { readonly answer: Promise<T> } | undefined;
  await server.deps.db.begin(async tx => {
    await tx.query(statement);
    working = await startUntilBlocked(server.deps.db, work);
  });
  return working?.answer ?? unreachable('no work was started');
}

/** Starts work, makes a change while the work waits for the user row, and returns the result of the work. */
export async function whileHolding<T>(
  server: TestServer,
  userId: string,
  { work, meanwhile }: { work: () => Promise<T>; meanwhile: (tx: Transaction) => Promise<unknown> },
): Promise<T> {
  let working: { readonly answer: Promise<T> } | undefined;
  await server.deps.db.begin(async tx => {
    await tx.query(sql`select id from users where id = ${userId} for update`);
    working = await startUntilBlocked(server.deps.db, work);
    await meanwhile(tx);
  });
  return working?.answer ?? unreachable('no work was started');
}

/** Starts work, makes a change while the work waits to read a table, and returns the result of the work. */
export async function whileLocking<T>(
  server: TestServer,
  table: Statement,
  { work, meanwhile }: { work: () => Promise<T>; meanwhile: () => Promise<unknown> },
): Promise<T> {
  let working: { readonly answer: Promise<T> } | undefined;
  await server.deps.db.begin(async tx => {
    await tx.query(sql`lock table ${table} in access exclusive mode`);
    working = await startUntilBlocked(server.deps.db, work);
    await meanwhile();
  });
  return working?.answer ?? unreachable('no work was started');
}

/** Starts two calls that wait for the same user row: `first` gets it before `second`. Returns their results. */
export async function oneAfterTheOther<A, B>(
  server: TestServer,
  userId: string,
  { first, second }: { first: () => Promise<A>; second: () => Promise<B> },
): Promise<[A, B]> {
  let working: [{ readonly answer: Promise<A> }, { readonly answer: Promise<B> }] | undefined;
  await server.deps.db.begin(async tx => {
    await tx.query(sql`select id from users where id = ${userId} for update`);
    working = [await startUntilBlocked(server.deps.db, first), await startUntilBlocked(server.deps.db, second, 2)];
  });
  const [one, other] = working ?? unreachable('no work was started');
  return [await one.answer, await other.answer];
}

/** Starts calls that all wait for the same user row, then lets them continue. Returns their results. */
export async function allAtOnce<T>(
  server: TestServer,
  userId: string,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  let working: { readonly answer: Promise<T[]> } | undefined;
  await server.deps.db.begin(async tx => {
    await tx.query(sql`select id from users where id = ${userId} for update`);
    working = await startUntilBlocked(server.deps.db, () => Promise.all(calls.map(call => call())), calls.length);
  });
  return working?.answer ?? unreachable('no work was started');
}

/**
 * Starts an action that waits to write into locked tables, after its checks, and then a change. Locks of rows are granted
 * in these tables.
 *
 * @param tables a list of names
 * @returns whether the change ended before the action, and both results
 */
export async function whileWaitingToWrite<A, B>(
  server: TestServer,
  tables: Statement,
  { action, change }: { action: () => Promise<A>; change: () => Promise<B> },
): Promise<{ isChangeFirst: boolean; action: A; change: B }> {
  let working: [{ readonly answer: Promise<A> }, { readonly answer: Promise<B> }] | undefined;
  let hasChanged = false;
  let isChangeFirst = false;
  const changing = () =>
    change().finally(() => {
      hasChanged = true;
    });
  await server.deps.db.begin(async tx => {
    await tx.query(sql`lock table ${tables} in share mode`);
    const { db } = server.deps;
    working = [await startUntilBlocked(db, action), await startUntilBlocked(db, changing, 2)];
    isChangeFirst = hasChanged;
  });
  const [one, other] = working ?? unreachable('no work was started');
  return { isChangeFirst, action: await one.answer, change: await other.answer };
}

/**
 * Starts work, and returns when the given number of calls wait for a lock, or when the work has ended.
 *
 * @param db outside a transaction: in one, pg_stat_activity keeps its first list of connections
 */
export async function startUntilBlocked<T>(
  db: Queryable,
  work: () => Promise<T>,
  waitingCalls = 1,
): Promise<{ readonly answer: Promise<T> }> {
  const answer = work();
  let isOver = false;
  void answer.finally(() => {
    isOver = true;
  });
  const waiting = sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `;
  while (!isOver && (await db.query(waiting)).length < waitingCalls);
  return { answer };
}
