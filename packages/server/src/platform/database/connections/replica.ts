import { setTimeout as pause } from 'node:timers/promises';
import { batchLoad } from '../batches/batch-load.ts';
import { DatabaseAway, isConflict } from '../errors.ts';
import { type Statement, sql } from '../sql.ts';
import type { Queryable, Transaction } from './queryable.ts';

export interface ReplicaReadsOptions {
  readonly primary: Queryable;
  /** Runs statements on one connection to the replica; behind a pooler they reach the same server. */
  readonly onReplica: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Called when a statement goes to the primary because the replica cannot serve it. */
  readonly onFallback: (error: Error) => void;
}

/** A replica that is this far behind is not waited for: a read of the primary takes about as long. */
const catchUpMs = 50;
const checkEveryMs = 5;
/** After a failure all statements go to the primary for this long. */
const pauseMs = 1_000;

/** The replica has not replayed the position in time, or is no replica any more. */
class ReplicaUnfit extends Error {
  override readonly name = 'ReplicaUnfit';
}

/**
 * Statements on a read replica that see every write which was acknowledged before they began, in any process. Each
 * statement asks the primary for the end of its log, and the replica reads only when it has replayed the log up to there.
 * Concurrent statements share the question. A replica that is behind, away or promoted is left out, and the primary
 * answers.
 */
export function createReplicaReads({ primary, onReplica, onFallback }: ReplicaReadsOptions): Queryable {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  const endOfLog = batchLoad(async (callers: readonly undefined[]) => {
    const [row] = await primary.query<{ position: string }>(sql`select pg_current_wal_flush_lsn()::text as position`);
    return callers.map(() => row?.position ?? unfit('the primary has no log'));
  });

  async function readReplica<Row extends object>(statement: Statement): Promise<Row[]> {
    const position = await endOfLog(undefined);
    return onReplica(async tx => {
      await catchUp(tx, position);
      return tx.query<Row>(statement);
    });
  }

  async function catchUp(tx: Transaction, position: string): Promise<void> {
    const startedAtMs = performance.now();
    for (;;) {
      const [state] = await tx.query<{ isReplica: boolean; hasReplayed: boolean | null }>(sql`
        select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "hasReplayed"
      `);
      if (state?.isReplica !== true) unfit('the read replica is no replica');
      if (state.hasReplayed === true) return;
      if (performance.now() - startedAtMs > catchUpMs) unfit('the read replica is behind');
      await pause(checkEveryMs);
    }
  }

  return {
    async query<Row extends object>(statement: Statement): Promise<Row[]> {
      if (performance.now() < pausedUntilMs) return primary.query<Row>(statement);
      try {
        return await readReplica<Row>(statement);
      } catch (error) {
        if (!(error instanceof ReplicaUnfit || error instanceof DatabaseAway || isConflict(error))) throw error;
        pausedUntilMs = performance.now() + pauseMs;
        onFallback(error as Error);
        return primary.query<Row>(statement);
      }
    },
  };
}

function unfit(reason: string): never {
  throw new ReplicaUnfit(reason);
}
