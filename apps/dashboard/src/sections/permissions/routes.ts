import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readPermissionSearch } from './search.ts';

export const permissionsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'permissions',
  validateSearch: readPermissionSearch,
});
