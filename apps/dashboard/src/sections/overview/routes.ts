import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { loadDayChart } from './load-day-chart.ts';
import { readOverviewSearch } from './search.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'overview',
  validateSearch: readOverviewSearch,
}).lazy(() => {
  // The charts load beside the page, not after its data. A failure is reported by the page, which loads them again.
  loadDayChart().catch(() => undefined);
  return import('./overview-page.tsx').then(page => page.route);
});

export const overviewRoutes = [overviewRoute] as const;
