import type { OnUserCreated } from '../accounts/users/index.ts';
import { addOwnedProjects } from '../projects/index.ts';
import { lockInstallation, setOwner } from './store.ts';

const internalProjectId = 'internal';

/**
 * Makes a user of `internal` who is not anonymous the owner of `internal` and `Demo`, when there is no owner yet
 * (docs/contract/decisions.md#service).
 */
export const ownInstallation: OnUserCreated = async (tx, { project, user }) => {
  if (project.id !== internalProjectId || user.isAnonymous) return;
  const { ownerUserId, demoProjectId } = await lockInstallation(tx);
  if (ownerUserId !== null) return;
  await setOwner(tx, user.id);
  await addOwnedProjects(tx, user.id, [internalProjectId, ...(demoProjectId === null ? [] : [demoProjectId])]);
};
