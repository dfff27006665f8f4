import { type Database, type Transaction, transaction } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { addJob } from '../../../../platform/queue/add-job.ts';
import { cronQueue } from '../../../../platform/queue/task-list.ts';
import type { Task } from '../../../../platform/queue/work.ts';
import { searchText } from '../store.ts';

/** Name of the job that runs every minute in one of the processes. */
export const searchCopiesTask = 'search_copies';

/** A batch holds its rows for a fraction of a second, a job runs for a few seconds. */
const usersPerBatch = 100;
const batchesPerJob = 20;

/**
 * Adds the copy without accents to search texts that an earlier release wrote: before the upgrade, or during it beside this
 * one. Without such a text it reads an empty index.
 */
export function searchCopies({ db }: { readonly db: Database }): Task {
  return async () => {
    for (let batch = 0; batch < batchesPerJob; batch++) {
      if ((await transaction(db.longRunning, refreshBatch)) < usersPerBatch) return;
    }
    // At most one continuation waits.
    const alone = { queueName: cronQueue(searchCopiesTask), key: `${searchCopiesTask}_catch_up` };
    await transaction(db, tx => addJob(tx, searchCopiesTask, {}, alone));
  };
}

/** It never waits for a lock, so it is in no deadlock with a request. */
async function refreshBatch(tx: Transaction): Promise<number> {
  const users = await tx.query<{ projectId: string; id: string; search: string }>(sql`
    select project_id as "projectId", id, search from users
    where search ~ '[\\u0080-\\u1fff\\u3099\\u309a]' and position(repeat(chr(10), 2) in search) = 0
    limit ${usersPerBatch} for no key update skip locked
  `);
  const texts = users.map(({ id, search }) => searchText(id, search.split('\n').slice(0, -1)));
  await tx.query(sql`
    update users u set search = new.search
    from unnest(
      ${users.map(user => user.projectId)}::text[], ${users.map(user => user.id)}::uuid[], ${texts}::text[]
    ) as new (project_id, id, search)
    where u.project_id = new.project_id and u.id = new.id
  `);
  return users.length;
}
