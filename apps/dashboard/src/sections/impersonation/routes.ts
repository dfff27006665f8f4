import { createRoute } from '@tanstack/react-router';
import { ownerRoute } from '../../routes/owner.ts';

/** A window without the shell, in which an admin acts as a user. */
export const impersonationRoute = createRoute({
  getParentRoute: () => ownerRoute,
  path: 'impersonation/$projectId/$userId',
});
