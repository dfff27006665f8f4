import { queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';

/** Whether apps of the project can create anonymous users. */
export function anonymousUsersQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'sign-in-methods', 'anonymous-users'],
    queryFn: () => project.app.getAnonymousUserSettings(),
  });
}
