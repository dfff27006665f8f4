import { fail, isRoleAtLeast, type ProjectRole } from '@tessera/protocol';
import type { Transaction } from '../../../platform/database/database.ts';
import { holdRole } from './store.ts';

interface Acting {
  readonly project: { readonly id: string };
  /** Undefined for a key of the project, which has no role. */
  readonly ownerId: string | undefined;
}

/**
 * Reads the role of the caller again: it may have ended since the request began. The project must be locked, because changes of
 * roles lock it too.
 *
 * @throws ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN, PROJECT_ROLE_INSUFFICIENT
 */
export async function assertRoleHeld(
  tx: Transaction,
  { project, ownerId }: Acting,
  required_role: ProjectRole,
): Promise<void> {
  if (ownerId === undefined) return;
  const actual_role =
    (await holdRole(tx, { projectId: project.id, ownerId })) ?? fail('ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN');
  if (!isRoleAtLeast(actual_role, required_role)) fail('PROJECT_ROLE_INSUFFICIENT', { actual_role, required_role });
}
