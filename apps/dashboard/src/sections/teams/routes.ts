import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readTeamSearch } from './search.ts';

export const teamsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'teams',
  validateSearch: readTeamSearch,
}).lazy(() => import('./team-list.tsx').then(page => page.route));

export const teamRoute = createRoute({ getParentRoute: () => projectRoute, path: 'teams/$teamId' }).lazy(() =>
  import('./team-page.tsx').then(page => page.route),
);

export const teamsRoutes = [teamsRoute, teamRoute] as const;
