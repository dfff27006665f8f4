import { fail } from '@tessera/protocol';
import * as z from 'zod';
import type { Deps } from '../../../deps.ts';
import { refuse } from '../../../http/refusal.ts';
import { transaction } from '../../../platform/database/database.ts';
import { addJob, type Task } from '../../../platform/queue/jobs.ts';
import { type AuditedCall, auditedBy, recordAudit } from '../../audit/index.ts';
import { publishProjectChange } from '../index.ts';
import { takeFromOwners } from '../ownership/ownership.ts';
import { deleteMarkedProject, deleteProjectJobs, deleteProjectRows, markDeleted } from './store.ts';

/** Name of the jobs that delete what belonged to a project. */
export const projectDeletionTask = 'delete_project';

/** By then every process knows that the project is gone, and has written what it still had for it. */
const deletionDelayMs = 5_000;
/** A second's work or less: nobody waits for long, and a stop is not held up. */
const rowsPerBatch = 2_000;
const batchesPerJob = 10;

const reference = z.object({ projectId: z.string() });

/**
 * Deletes a project: at once for everybody who asks, and then, by jobs, row by row. With a million users that takes
 * minutes, in which nothing is locked.
 * Control 107.
 *
 * @throws PROJECT_NOT_FOUND, and a text 403 for `internal`
 */
export async function deleteProject(call: AuditedCall, deps: Deps): Promise<void> {
  const { id } = call.project;
  if (id === 'internal') refuse(403, 'The project internal is the installation itself and cannot be deleted.');
  const atMillis = deps.clock.now();
  await transaction(deps.db, async tx => {
    if (!(await markDeleted(tx, id, atMillis))) fail('PROJECT_NOT_FOUND', { project_id: id });
    await takeFromOwners(tx, id);
    await publishProjectChange(tx, id, deps);
    await addJob(tx, projectDeletionTask, { projectId: id }, { delayMs: deletionDelayMs });
    // The log of the project ends with it; the installation's own remembers who ended it.
    const event = { action: 'project.deleted', subject: { type: 'project', id }, atMillis } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event, projectId: 'internal' });
  });
}

/** Deletes a part of what is left, and asks to be called again until nothing is. */
export function projectDeletion(deps: Pick<Deps, 'db'>): Task {
  return async payload => {
    const { projectId } = reference.parse(payload);
    for (let batch = 0; batch < batchesPerJob; batch++) {
      const deleted = await deleteProjectRows(deps.db.patient, projectId, rowsPerBatch);
      if (deleted === 0) {
        await deleteProjectJobs(deps.db.patient, projectId);
        return transaction(deps.db.patient, tx => deleteMarkedProject(tx, projectId));
      }
    }
    await transaction(deps.db, tx => addJob(tx, projectDeletionTask, { projectId }));
  };
}
