import { fail } from '@tessera/protocol';
import type { Need } from '../access.ts';
import type { Requester } from '../rules.ts';

const signedOut = 'CANNOT_GET_OWN_USER_WITHOUT_USER';

/**
 * The requirement to end a membership: none to leave, `$remove_members` to remove others. Servers need nothing.
 *
 * @returns undefined when nothing is checked
 * @throws CANNOT_GET_OWN_USER_WITHOUT_USER for a client without a user
 */
export function getRemovalNeed(targetId: string, { level, userId }: Requester): Need | undefined {
  if (level !== 'client') return undefined;
  if (userId === null) fail(signedOut);
  return targetId === userId ? undefined : { permissions: ['$remove_members'], signedOut };
}
