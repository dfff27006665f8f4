import { queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';

/** The key sets of a project, newest first, revoked and expired ones included. */
export function keySetsQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'api-keys'],
    queryFn: () => project.app.listInternalApiKeys(),
  });
}

/** When each key set was last used. A rotated set is safe to revoke once it is no longer used. */
export function keySetUsesQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'api-keys', 'uses'],
    queryFn: () => project.app.listKeySetUses(),
  });
}
