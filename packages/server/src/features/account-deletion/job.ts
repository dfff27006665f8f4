import * as z from 'zod';
import { transaction } from '../../platform/database/database.ts';
import { addJob } from '../../platform/queue/add-job.ts';
import type { Cron, Tasks } from '../../platform/queue/work.ts';
import { type AccountDeletionDeps, deleteIfDue } from './deletion.ts';
import { selectDueUsers } from './store.ts';

const sweepTask = 'delete_due_accounts';
const deletionTask = 'delete_account';

const usersPerSweep = 1_000;

const reference = z.object({ projectId: z.string(), userId: z.string() });

/**
 * The sweep reads the table, not a job that waits for weeks: so accounts that were imported, and those whose time came
 * while no process ran, are deleted too.
 */
export const accountDeletionCrons: readonly Cron[] = [{ task: sweepTask, when: '*/5 * * * *' }];

/**
 * A job for each account: one that fails is retried by itself and delays no other. The key keeps a sweep from adding a
 * second job for an account whose job has not started.
 */
export function accountDeletionTasks(deps: AccountDeletionDeps): Tasks {
  return {
    async [sweepTask]() {
      const due = await selectDueUsers(deps.db, { nowMillis: deps.clock.now(), limit: usersPerSweep });
      for (const { projectId, userId } of due) {
        const key = `${deletionTask}:${projectId}:${userId}`;
        await transaction(deps.db, tx => addJob(tx, deletionTask, { projectId, userId }, { key }));
      }
    },
    async [deletionTask](payload) {
      await deleteIfDue(reference.parse(payload), deps);
    },
  };
}
