import { fail } from '@tessera/protocol';
import { managedProjectIds } from '../../../http/credentials.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { metadataWithProjects } from '../rules.ts';
import { lockOwner, lockOwnersOf, updateOwner } from './store.ts';

/** Appends to what a user of `internal` owns. @throws USER_AUTHENTICATION_REQUIRED when the user is gone */
export async function giveToOwner(tx: Transaction, userId: string, projectIds: readonly string[]): Promise<void> {
  const owner = (await lockOwner(tx, userId)) ?? fail('USER_AUTHENTICATION_REQUIRED');
  const ids = [...managedProjectIds(owner), ...projectIds];
  await updateOwner(tx, { id: userId, serverMetadata: metadataWithProjects(owner.serverMetadata, ids) });
}

/** Takes a project away from everybody who owns it; what else they own stays. */
export async function takeFromOwners(tx: Transaction, projectId: string): Promise<void> {
  for (const owner of await lockOwnersOf(tx, projectId)) {
    const ids = managedProjectIds(owner);
    // Their metadata may name it in some other place.
    if (!ids.includes(projectId)) continue;
    const kept = ids.filter(id => id !== projectId);
    await updateOwner(tx, { id: owner.id, serverMetadata: metadataWithProjects(owner.serverMetadata, kept) });
  }
}
