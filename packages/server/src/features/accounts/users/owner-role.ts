import type { ProjectRole } from '@tessera/protocol';
import { managedProjectIds } from '../../../http/access/managed-projects.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { selectMemberRole } from '../../projects/index.ts';
import { selectCallUsers } from './store.ts';

/** The access of a person to a project: the account in `internal`, and the session of the admin access token. */
interface OwnerAccess {
  readonly projectId: string;
  readonly ownerId: string;
  /** Undefined for a token without a session. */
  readonly ownerSessionId: string | undefined;
}

/**
 * The present role of a person in a project, for work that lasts longer than the request that checked it.
 *
 * @returns undefined when the session, the ownership or the membership has ended
 */
export async function findOwnerRole(
  db: Queryable,
  { projectId, ownerId, ownerSessionId }: OwnerAccess,
  nowMillis: number,
): Promise<ProjectRole | undefined> {
  const asked = { projectId: 'internal', userId: ownerId, sessionId: ownerSessionId };
  const [owner] = await selectCallUsers(db, [asked], nowMillis);
  if (owner?.hasSession !== true) return undefined;
  if (managedProjectIds(owner.user).includes(projectId)) return 'owner';
  return selectMemberRole(db, { projectId, userId: ownerId });
}
