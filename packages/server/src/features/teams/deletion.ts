import type { Clock } from '../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import { publishEvent } from '../webhooks/events/index.ts';
import { deleteSurplusMemberships, deleteTeam } from './store.ts';

interface TeamDeletionDeps {
  readonly clock: Clock;
  readonly db: Database;
}

/** About 0.2 s of work: the permissions and the selection of each member are deleted, too. */
const membersPerBatch = 1_000;

interface TeamRemoval {
  readonly projectId: string;
  readonly teamId: string;
  readonly callerId: string | null;
  /** Throws when the caller may not delete the team. It runs in every transaction. */
  readonly assertMay: (tx: Transaction) => Promise<void>;
}

/**
 * Deletes a team. A large team first loses its members in batches: one statement for all of them would exceed the time of a
 * request, and lock the users who have selected the team until its end. A request that fails between the batches can be
 * repeated: the membership of the caller is deleted with the team.
 *
 * @returns false when the team does not exist
 */
export async function removeTeam(
  { projectId, teamId, callerId, assertMay }: TeamRemoval,
  { clock, db }: TeamDeletionDeps,
): Promise<boolean> {
  const surplus = { teamId, keptUserId: callerId, atMost: membersPerBatch };
  const removeBatch = async (tx: Transaction) => {
    await assertMay(tx);
    return deleteSurplusMemberships(tx, projectId, surplus);
  };
  while ((await transaction(db, removeBatch)) > 0);
  return transaction(db, async tx => {
    await assertMay(tx);
    if (!(await deleteTeam(tx, projectId, teamId))) return false;
    await publishEvent(tx, { projectId, type: 'team.deleted', data: { id: teamId }, nowMillis: clock.now() });
    return true;
  });
}
