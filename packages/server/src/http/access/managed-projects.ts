import type { ProjectRole } from '@tessera/protocol';
import type { FoundUser } from '../../core/caller.ts';
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

/**
 * The role of a person in a session. Another person who acts as this one only sees the projects: the audit log of a project
 * would name the person who did not make a change (control 34).
 */
export function roleInSession<Role extends ProjectRole | undefined>(
  role: Role,
  { impersonation }: Partial<Pick<FoundUser, 'impersonation'>>,
): Role | 'viewer' {
  return role === undefined || impersonation === undefined ? role : 'viewer';
}
