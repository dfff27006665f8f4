import { setTimeout as pause } from 'node:timers/promises';
import { idempotencyReleaseAttempts, idempotencyReleasePauseMs } from '@tessera/protocol';
import type { RunOnce } from '../../http/keyed-write.ts';
import { isRefusal } from '../../http/response/failures.ts';
import type { Draft } from '../../http/response/respond.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import { type CommitWatch, watchCommits } from '../../platform/database/commit-watch.ts';
import { CommitUnknown, type Database, DatabaseAway } from '../../platform/database/database.ts';
import type { Log } from '../../platform/observability/log.ts';
import { logFailure } from '../../platform/observability/log-failure.ts';
import { requestHashOf, scopeHashOf } from './hashes.ts';
import { assertKey, earlierResponse, keepsResponse } from './rules.ts';
import { deleteKey, insertKey, type KeyRow, selectKey, storeResponse } from './store.ts';

/** Responses hold tokens and personal data, so they are encrypted. */
export const idempotencyResponsePurpose = 'idempotency response';

interface IdempotencyDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: Log;
}

/**
 * Runs writes with an idempotency key at most once in 24 hours.
 *
 * The row is inserted before the write runs, with asynchronous commit. The commit of the write flushes the log up to the
 * row, so the row is durable whenever the write is. A refused write, and one that fails before its first commit, deletes the
 * row. When the connection is lost during a commit, or the work fails after one, the row stays, and a repeated request is
 * refused instead of run twice.
 */
export function createRunOnce(deps: IdempotencyDeps): RunOnce {
  const { db, clock, secrets, log } = deps;
  const asyncCommit = db.asyncCommit;
  const requestHashKey = secrets.derive('idempotency request');

  return async (write, work) => {
    assertKey(write.key);
    const row: KeyRow = {
      projectId: write.projectId,
      scopeHash: scopeHashOf(write),
      requestHash: requestHashOf(write, requestHashKey),
      startedAtMillis: clock.now(),
    };
    if (!(await insertKey(asyncCommit, row))) return repeatResponse(row);
    const watch: CommitWatch = { hasCommitted: false };
    let draft: Draft;
    try {
      draft = await watchCommits(watch, work);
    } catch (error) {
      if (mayRunAgain(error, watch)) await release(row, deps);
      throw error;
    }
    if (!keepsResponse(draft, write)) return draft;
    const response = secrets.encrypt(idempotencyResponsePurpose, JSON.stringify(draft));
    await logFailure(storeResponse(asyncCommit, row, response), log, 'the response of a keyed write was not stored');
    return draft;
  };

  async function repeatResponse(row: KeyRow): Promise<Draft> {
    const response = earlierResponse(await selectKey(db, row), row);
    return JSON.parse(secrets.decrypt(idempotencyResponsePurpose, response).toString());
  }
}

/** What a refused request commits, such as a failed attempt, is meant to be repeated with it. */
function mayRunAgain(error: unknown, { hasCommitted }: CommitWatch): boolean {
  return isRefusal(error) || !(hasCommitted || error instanceof CommitUnknown);
}

/** When the database is away, the key is deleted in the background, so a retry after the failover can run. */
async function release(row: KeyRow, { db, log }: IdempotencyDeps): Promise<void> {
  try {
    await deleteKey(db.asyncCommit, row);
  } catch (error) {
    if (!(error instanceof DatabaseAway)) throw error;
    void releaseLater(row, db).catch((later: unknown) => {
      log.warn({ error: later }, 'an idempotency key could not be freed');
    });
  }
}

async function releaseLater(row: KeyRow, db: Database): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await pause(idempotencyReleasePauseMs, undefined, { ref: false });
    try {
      await deleteKey(db.asyncCommit, row);
      return;
    } catch (error) {
      if (!(error instanceof DatabaseAway) || attempt >= idempotencyReleaseAttempts) throw error;
    }
  }
}
