import type { CallUser } from '../../core/user.ts';

/**
 * The ownership record: `managedProjectIds` in the server metadata of a user of `internal`
 * (docs/contract/projects.md#project-lifecycle).
 */
export function managedProjectIds(owner: Pick<CallUser, 'serverMetadata'>): string[] {
  const metadata = owner.serverMetadata;
  if (typeof metadata !== 'object' || metadata === null || !('managedProjectIds' in metadata)) return [];
  const ids = metadata.managedProjectIds;
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
}
