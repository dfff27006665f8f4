import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readTeamSearch } from './search.ts';

export const teamsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'teams',
  validateSearch: readTeamSearch,
});

export const teamRoute = createRoute({ getParentRoute: () => projectRoute, path: 'teams/$teamId' });
