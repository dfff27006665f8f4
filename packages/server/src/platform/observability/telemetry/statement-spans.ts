import type { Database, Queryable, Transactional } from '../../database/database.ts';
import type { Statement } from '../../database/sql.ts';

/** Observes one statement: runs it and records how long it took. */
type ObserveStatement = <T>(statement: Statement, run: () => Promise<T>) => Promise<T>;

/** The same database; each statement runs through `observe`, including the wait for a connection. */
export function observeStatements(db: Database, observe: ObserveStatement): Database {
  const queryable = (inner: Queryable): Queryable => ({
    query: statement => observe(statement, () => inner.query(statement)),
  });
  const transactional = (inner: Transactional): Transactional => ({
    ...queryable(inner),
    begin: work => inner.begin(tx => work({ ...queryable(tx), afterCommit: tx.afterCommit })),
  });
  return {
    ...transactional(db),
    asyncCommit: queryable(db.asyncCommit),
    reads: queryable(db.reads),
    longRunning: transactional(db.longRunning),
    close: db.close,
  };
}

interface StatementName {
  /** In lower case: `select`, `insert`, `update` or `delete`. */
  readonly verb: string;
  /** The table that is written, or the first one that is read; undefined without a table. */
  readonly table: string | undefined;
}

/** `update` in `for update` and `do update set` names no table. A call behind `from` is no table. */
const clauses = /(?<!\b(?:for|for no key|do) )\b(insert into|update|delete from|from) ([a-z_.]+)( ?\()?/gi;

/** What a statement does, from its text with placeholders. */
export function nameStatement(text: string): StatementName {
  const found = [...text.replace(/\s+/g, ' ').matchAll(clauses)].map(([, clause = '', table, call]) => {
    const [verb = ''] = clause.toLowerCase().split(/\s/);
    return verb === 'from' ? { verb: 'select', table: call === undefined ? table : undefined } : { verb, table };
  });
  const written = found.find(({ verb }) => verb !== 'select');
  return written ?? found.find(({ table }) => table !== undefined) ?? { verb: 'select', table: undefined };
}
