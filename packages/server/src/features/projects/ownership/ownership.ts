import { fail } from '@tessera/protocol';
import { managedProjectIds } from '../../../http/credentials.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { replaceManagedProjects } from '../rules.ts';
import { lockOwner, lockOwnersOf, updateOwner } from './store.ts';

/** Appends projects to those of a user of `internal`. @throws USER_AUTHENTICATION_REQUIRED when the user was deleted */
export async function addOwnedProjects(tx: Transaction, userId: string, projectIds: readonly string[]): Promise<void> {
  const owner = (await lockOwner(tx, userId)) ?? fail('USER_AUTHENTICATION_REQUIRED');
  const ids = [...managedProjectIds(owner), ...projectIds];
  await updateOwner(tx, { id: userId, serverMetadata: replaceManagedProjects(owner.serverMetadata, ids) });
}

/** Removes a project from all its owners; their other projects stay. */
export async function removeFromOwners(tx: Transaction, projectId: string): Promise<void> {
  for (const owner of await lockOwnersOf(tx, projectId)) {
    const ids = managedProjectIds(owner);
    // The metadata may contain the id outside of `managedProjectIds`.
    if (!ids.includes(projectId)) continue;
    const kept = ids.filter(id => id !== projectId);
    await updateOwner(tx, { id: owner.id, serverMetadata: replaceManagedProjects(owner.serverMetadata, kept) });
  }
}
