import type { PermissionScope } from '@tessera/protocol';
import type { Transaction } from '../../platform/database/database.ts';
import { lockProjectRecord, selectPermissionScopes } from './store.ts';

/**
 * Checks that a permission can be used where a permission of a scope is expected.
 *
 * @param actual the scope of the project's own definition with this id
 * @throws PERMISSION_NOT_FOUND, WRONG_PERMISSION_SCOPE
 */
export type AssertGrantable = (id: string, expected: PermissionScope, actual: PermissionScope | undefined) => void;

/** Checks the permissions that a setting names, and keeps them from being deleted until the transaction ends. */
export async function assertAllGrantable(
  tx: Transaction,
  projectId: string,
  wanted: readonly { readonly id: string; readonly scope: PermissionScope }[],
  assertGrantable: AssertGrantable,
): Promise<void> {
  if (wanted.length === 0) return;
  // Every change of definitions waits for the lock on this row.
  await lockProjectRecord(tx, projectId);
  const definitions = await selectPermissionScopes(tx, projectId);
  const scopes = new Map(definitions.map(({ id, scope }) => [id, scope]));
  for (const { id, scope } of wanted) assertGrantable(id, scope, scopes.get(id));
}
