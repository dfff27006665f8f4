import { comparePermissionIds } from '@tessera/protocol';

/** The contained ids of each permission id. */
export type Contained = ReadonlyMap<string, readonly string[]>;

/**
 * The permissions that a set of direct permissions holds: these and all permissions that they contain, at any depth.
 * Undefined ids are skipped, and cyclic definitions end
 * (docs/contract/permissions.md#definitions and #grants).
 *
 * @param contained the definitions of one scope, system permissions included
 */
export function expandPermissions(direct: Iterable<string>, contained: Contained): ReadonlySet<string> {
  const held = new Set<string>();
  const open = [...direct];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const inside = contained.get(id);
    if (inside === undefined || held.has(id)) continue;
    held.add(id);
    open.push(...inside);
  }
  return held;
}

/** A permission of a user, in a team or in the project. */
export interface Grant {
  readonly teamId?: string;
  readonly userId: string;
  readonly permissionId: string;
}

export interface GrantListing {
  readonly isRecursive: boolean;
  /** Lists this permission only, after the expansion. */
  readonly permissionId: string | undefined;
}

/** The list entries of direct grants that are sorted by team and user (docs/contract/permissions.md#grants). */
export function listGrants<G extends Grant>(
  grants: readonly G[],
  contained: Contained,
  { isRecursive, permissionId }: GrantListing,
): G[] {
  return groupByHolder(grants).flatMap(([holder, direct]) => {
    const held = isRecursive ? expandPermissions(direct, contained) : direct.filter(id => contained.has(id));
    const listed = [...held].filter(id => permissionId === undefined || id === permissionId);
    return listed.sort(comparePermissionIds).map(id => ({ ...holder, permissionId: id }));
  });
}

/** The direct permissions of each holder, with one of the grants. */
function groupByHolder<G extends Grant>(grants: readonly G[]): (readonly [holder: G, direct: string[]])[] {
  const holders = new Map<string, readonly [G, string[]]>();
  for (const grant of grants) {
    const key = `${grant.teamId} ${grant.userId}`;
    const known = holders.get(key);
    if (known === undefined) holders.set(key, [grant, [grant.permissionId]]);
    else known[1].push(grant.permissionId);
  }
  return [...holders.values()];
}
