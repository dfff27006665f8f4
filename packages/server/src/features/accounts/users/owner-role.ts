import type { ProjectRole } from '@tessera/protocol';
import { managedProjectIds, roleInSession } from '../../../http/access/managed-projects.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { selectMemberRoles } from '../../projects/index.ts';
import { selectCallUsers } from './store.ts';

/** The access of a person to a project: the account in `internal`, and the session of the admin access token. */
interface OwnerAccess {
  readonly projectId: string;
  readonly ownerId: string;
  /** Undefined for a token without a session. */
  readonly ownerSessionId: string | undefined;
}

/**
 * The present roles of persons in projects, in their order, for work that lasts longer than the request that checked them.
 * Undefined when the session, the ownership or the membership has ended. Two statements, however many there are.
 */
export async function findOwnerRoles(
  db: Queryable,
  accesses: readonly OwnerAccess[],
  nowMillis: number,
): Promise<(ProjectRole | undefined)[]> {
  const tokens = new Map(
    accesses.map(({ ownerId, ownerSessionId }) => [
      tokenOf({ ownerId, ownerSessionId }),
      { projectId: 'internal', userId: ownerId, sessionId: ownerSessionId },
    ]),
  );
  const found = await selectCallUsers(db, [...tokens.values()], nowMillis);
  const owners = new Map(
    [...tokens.keys()].map((token, index) => {
      const owner = found[index];
      return [
        token,
        owner?.hasSession === true ? { ...owner, owned: new Set(managedProjectIds(owner.user)) } : undefined,
      ];
    }),
  );
  const ownerOf = (access: OwnerAccess) => owners.get(tokenOf(access));
  const others = accesses.filter(access => ownerOf(access)?.owned.has(access.projectId) === false);
  const roles = await selectMemberRoles(
    db,
    others.map(({ projectId, ownerId }) => ({ projectId, userId: ownerId })),
  );
  const memberRoles = new Map(others.map((access, index) => [access, roles[index]]));
  return accesses.map(access => {
    const owner = ownerOf(access);
    return roleInSession(owner?.owned.has(access.projectId) ? 'owner' : memberRoles.get(access), owner ?? {});
  });
}

/** The role of one person; see `findOwnerRoles`. */
export async function findOwnerRole(
  db: Queryable,
  access: OwnerAccess,
  nowMillis: number,
): Promise<ProjectRole | undefined> {
  const [role] = await findOwnerRoles(db, [access], nowMillis);
  return role;
}

/** One person may have many streams: the account is read once for each session. */
function tokenOf({ ownerId, ownerSessionId }: Pick<OwnerAccess, 'ownerId' | 'ownerSessionId'>): string {
  return `${ownerId} ${ownerSessionId}`;
}
