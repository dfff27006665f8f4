import { fail, ownerFreshSignInMs } from '@tessera/protocol';
import type { Clock } from '../../platform/clock.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { selectAuthenticationTime } from '../sessions/index.ts';

/**
 * Checks that the owner of a dashboard session has signed in recently: a link and an impersonation open another account.
 * A caller with a key has no session and is not checked.
 *
 * @throws REAUTHENTICATION_REQUIRED
 */
export async function assertRecentOwner(
  { ownerId, ownerSessionId }: { readonly ownerId: string | undefined; readonly ownerSessionId: string | undefined },
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
): Promise<void> {
  if (ownerId === undefined) return;
  const sessionId = ownerSessionId ?? fail('REAUTHENTICATION_REQUIRED');
  const atMillis = await selectAuthenticationTime(db, { projectId: 'internal', sessionId });
  const isRecent = atMillis !== undefined && atMillis > clock.now() - ownerFreshSignInMs;
  if (!isRecent) fail('REAUTHENTICATION_REQUIRED');
}
