import { createRoute } from '@tanstack/react-router';
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
});

export const importUsersRoute = createRoute({ getParentRoute: () => projectRoute, path: 'users/import' });

export const userRoute = createRoute({ getParentRoute: () => projectRoute, path: 'users/$userId' });
