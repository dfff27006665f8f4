import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readUserSearch } from './search.ts';

export const usersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'users',
  validateSearch: readUserSearch,
}).lazy(() => import('./user-list.tsx').then(page => page.route));

const importUsersRoute = createRoute({ getParentRoute: () => projectRoute, path: 'users/import' }).lazy(() =>
  import('./import/import-page.tsx').then(page => page.route),
);

export const userRoute = createRoute({ getParentRoute: () => projectRoute, path: 'users/$userId' }).lazy(() =>
  import('./user-page.tsx').then(page => page.route),
);

export const usersRoutes = [usersRoute, importUsersRoute, userRoute] as const;
