import { type Database, transaction } from '../../../../platform/database/database.ts';
import { addJob } from '../../../../platform/queue/add-job.ts';
import { cronQueue } from '../../../../platform/queue/task-list.ts';
import type { Task } from '../../../../platform/queue/work.ts';
import { insertSearchCopies } from './search-copies-store.ts';

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
      const count = await transaction(db.longRunning, tx => insertSearchCopies(tx, usersPerBatch));
      if (count < usersPerBatch) return;
    }
    // At most one continuation waits.
    const alone = { queueName: cronQueue(searchCopiesTask), key: `${searchCopiesTask}_catch_up` };
    await transaction(db, tx => addJob(tx, searchCopiesTask, {}, alone));
  };
}
