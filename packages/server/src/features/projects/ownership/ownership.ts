import { fail } from '@tessera/protocol';
import { managedProjectIds } from '../../../http/access/managed-projects.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { lockUser, updateServerMetadata } from '../../accounts/users/row/index.ts';
import { assertMayOwn, replaceManagedProjects } from '../rules.ts';
import { lockOwnersOf, type OwnerRow, selectOwner } from './store.ts';

/**
 * Appends projects to those of a user of `internal`. Of concurrent calls each counts what the others have added.
 *
 * @throws USER_AUTHENTICATION_REQUIRED when the user was deleted, and a text 403 for too many projects
 */
export async function addOwnedProjects(tx: Transaction, userId: string, projectIds: readonly string[]): Promise<void> {
  await lockUser(tx, { projectId: 'internal', userId }, 'change');
  const owner = (await selectOwner(tx, userId)) ?? fail('USER_AUTHENTICATION_REQUIRED');
  const ids = [...managedProjectIds(owner), ...projectIds];
  assertMayOwn(ids.length);
  await setManagedProjects(tx, owner, ids);
}

/** Removes a project from those of one owner; other owners keep it. */
export async function removeOwnedProject(tx: Transaction, userId: string, projectId: string): Promise<void> {
  await lockUser(tx, { projectId: 'internal', userId }, 'change');
  const owner = await selectOwner(tx, userId);
  if (owner === undefined) return;
  await setManagedProjects(
    tx,
    owner,
    managedProjectIds(owner).filter(id => id !== projectId),
  );
}

/** Removes a project from all its owners; their other projects stay. */
export async function removeFromOwners(tx: Transaction, projectId: string): Promise<void> {
  for (const owner of await lockOwnersOf(tx, projectId)) {
    const ids = managedProjectIds(owner);
    // The metadata may contain the id outside of `managedProjectIds`.
    if (!ids.includes(projectId)) continue;
    await setManagedProjects(
      tx,
      owner,
      ids.filter(id => id !== projectId),
    );
  }
}

async function setManagedProjects(tx: Transaction, owner: OwnerRow, projectIds: readonly string[]): Promise<void> {
  const metadata = JSON.stringify(replaceManagedProjects(owner.serverMetadata, projectIds));
  await updateServerMetadata(tx, { projectId: 'internal', userId: owner.id }, metadata);
}
