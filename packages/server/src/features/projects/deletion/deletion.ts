import { fail, projectAdminEndpoints, roleOf } from '@tessera/protocol';
import * as z from 'zod';
import type { AuditedCall } from '../../../core/audit-event.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { addJob, deleteProjectJobs } from '../../../platform/queue/add-job.ts';
import type { Task } from '../../../platform/queue/work.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import { assertRoleHeld } from '../members/held-role.ts';
import { removeFromOwners } from '../ownership/ownership.ts';
import { type Projects, publishProjectChange } from '../projects.ts';
import { deleteMarkedProject, deleteProjectRows, markDeleted } from './store.ts';

export interface ProjectDeletionDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly projects: Projects;
}

/** Name of the jobs that delete the rows of a project. */
export const projectDeletionTask = 'delete_project';

/** After this time every process has dropped the project from memory and finished its delayed writes. */
const deletionDelayMs = 5_000;
/** Each job takes a second or less, so it neither blocks other jobs nor delays a shutdown. */
const rowsPerBatch = 2_000;
const batchesPerJob = 10;

const reference = z.object({ projectId: z.string() });

/**
 * Deletes a project. All requests are refused at once; jobs then delete the rows in batches. This takes minutes for a
 * million users, and holds no long locks. Control 107.
 *
 * @throws PROJECT_NOT_FOUND, ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN, PROJECT_ROLE_INSUFFICIENT, and a text 403 for `internal`
 */
export async function deleteProject(call: AuditedCall, deps: ProjectDeletionDeps): Promise<void> {
  const { ownerId, project } = call;
  const { id } = project;
  if (id === 'internal') refuse(403, 'The project internal is the installation itself and cannot be deleted.');
  const atMillis = deps.clock.now();
  await transaction(deps.db, async tx => {
    if (!(await markDeleted(tx, id, atMillis))) fail('PROJECT_NOT_FOUND', { project_id: id });
    const lowest = roleOf(projectAdminEndpoints.delete);
    if (ownerId !== undefined) await assertRoleHeld(tx, { projectId: id, ownerId }, lowest);
    await removeFromOwners(tx, id);
    await publishProjectChange(tx, id, deps);
    await addJob(tx, projectDeletionTask, { projectId: id }, { delayMs: deletionDelayMs });
    // The audit log of the project is deleted with it, so the event is recorded in the log of `internal`.
    const event = { action: 'project.deleted', subject: { type: 'project', id }, atMillis } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event, projectId: 'internal' });
  });
}

/** Deletes a part of the rows, and adds another job while rows are left. */
export function projectDeletion(deps: { readonly db: Database }): Task {
  return async payload => {
    const { projectId } = reference.parse(payload);
    for (let batch = 0; batch < batchesPerJob; batch++) {
      const deleted = await deleteProjectRows(deps.db.longRunning, projectId, rowsPerBatch);
      if (deleted === 0) {
        await deleteProjectJobs(deps.db.longRunning, projectId);
        return transaction(deps.db.longRunning, tx => deleteMarkedProject(tx, projectId));
      }
    }
    await transaction(deps.db, tx => addJob(tx, projectDeletionTask, { projectId }));
  };
}
