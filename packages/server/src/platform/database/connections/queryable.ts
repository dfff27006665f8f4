import type { Statement } from '../sql.ts';

/** Runs statements: the pool, or one transaction. */
export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}

export interface Transaction extends Queryable {
  /** Registers an effect that runs after the commit; never after a rollback. */
  afterCommit(effect: () => void): void;
}
