import { fail, isRoleAtLeast, type ProjectRole } from '@tessera/protocol';
import type { Transaction } from '../../../platform/database/database.ts';
import { holdRole } from './store.ts';

/**
 * Reads the role of a person again: it may have ended since the request began. The role stays until the transaction ends. A
 * transaction that also changes the project or its roles locks the project before.
 *
 * @throws ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN, PROJECT_ROLE_INSUFFICIENT
 */
export async function assertRoleHeld(
  tx: Transaction,
  person: Parameters<typeof holdRole>[1],
  lowest: ProjectRole,
): Promise<void> {
  const role = (await holdRole(tx, person)) ?? fail('ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN');
  if (!isRoleAtLeast(role, lowest)) fail('PROJECT_ROLE_INSUFFICIENT', { actual_role: role, required_role: lowest });
}
