import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readOverviewSearch } from './search.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'overview',
  validateSearch: readOverviewSearch,
});
