import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readApiKeysSearch } from './search.ts';

export const apiKeysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'api-keys',
  validateSearch: readApiKeysSearch,
}).lazy(() => import('./api-keys-page.tsx').then(page => page.route));

export const apiKeysRoutes = [apiKeysRoute] as const;
