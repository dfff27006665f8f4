interface Definition {
  readonly id: string;
  readonly containedPermissionIds: readonly string[];
}

/** Why a user has a permission: granted directly, or contained in the chain of permissions, the granted one first. */
export interface ExplainedPermission {
  readonly id: string;
  readonly through: readonly string[];
}

/**
 * Every permission that follows from the direct grants, with the shortest reason for each. A direct grant has an empty
 * chain. Definitions with cycles end.
 */
export function explainPermissions(
  direct: readonly string[],
  definitions: readonly Definition[],
): readonly ExplainedPermission[] {
  const contained = new Map(definitions.map(({ id, containedPermissionIds }) => [id, containedPermissionIds]));
  const found = new Map<string, readonly string[]>(direct.map(id => [id, []]));
  // A Map iterates over what is added while it runs, so this is a breadth-first search.
  for (const [id, through] of found) {
    for (const inner of contained.get(id) ?? []) if (!found.has(inner)) found.set(inner, [...through, id]);
  }
  return [...found].map(([id, through]) => ({ id, through }));
}
