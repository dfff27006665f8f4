import { createRoute } from '@tanstack/react-router';
import { loadFilledTable } from '../../components/table/load-filled-table.ts';
import { readAheadOf } from '../../data/read-ahead.ts';
import { projectRoute } from '../../routes/project.ts';
import { userPagesQuery } from './queries.ts';
import { readUserSearch } from './search.ts';

export const usersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'users',
  validateSearch: readUserSearch,
  loader: ({ context, params, location }) => {
    const search = readUserSearch(location.search);
    void readAheadOf(context, params.projectId, project =>
      context.queryClient.prefetchInfiniteQuery(userPagesQuery(project, search)),
    );
  },
}).lazy(() => {
  // Beside the page. A failure is reported by the table, which loads its code again.
  loadFilledTable().catch(() => undefined);
  return import('./user-list.tsx').then(page => page.route);
});

const importUsersRoute = createRoute({ getParentRoute: () => projectRoute, path: 'users/import' }).lazy(() =>
  import('./import/import-page.tsx').then(page => page.route),
);

export const userRoute = createRoute({ getParentRoute: () => projectRoute, path: 'users/$userId' }).lazy(() =>
  import('./user-page.tsx').then(page => page.route),
);

export const usersRoutes = [usersRoute, importUsersRoute, userRoute] as const;
