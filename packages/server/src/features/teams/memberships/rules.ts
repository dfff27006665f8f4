import { fail, type SystemPermissionId } from '@tessera/protocol';
import type { Asker } from '../rules.ts';

/**
 * What it takes to end a membership: nothing to leave, `$remove_members` for others; servers need nothing.
 *
 * @returns the user whose permissions count, and the ones needed; undefined when there is nothing to check
 * @throws CANNOT_GET_OWN_USER_WITHOUT_USER for a client without a signed-in user
 */
export function neededToRemove(
  targetId: string,
  { level, userId }: Asker,
): { readonly userId: string; readonly permissions: readonly SystemPermissionId[] } | undefined {
  if (level !== 'client') return undefined;
  if (userId === null) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  return targetId === userId ? undefined : { userId, permissions: ['$remove_members'] };
}
