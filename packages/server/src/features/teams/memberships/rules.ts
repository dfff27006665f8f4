import { fail, type SystemPermissionId } from '@tessera/protocol';
import type { Asker } from '../rules.ts';

/**
 * The requirement to end a membership: none to leave, `$remove_members` to remove others. Servers need nothing.
 *
 * @returns the user whose permissions are checked, and the needed permissions; undefined when nothing is checked
 * @throws CANNOT_GET_OWN_USER_WITHOUT_USER for a client without a user
 */
export function getRemovalRequirement(
  targetId: string,
  { level, userId }: Asker,
): { readonly userId: string; readonly permissions: readonly SystemPermissionId[] } | undefined {
  if (level !== 'client') return undefined;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  return targetId === userId ? undefined : { userId, permissions: ['$remove_members'] };
}
