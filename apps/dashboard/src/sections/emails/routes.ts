import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readEmailLogSearch } from './search.ts';

export const emailLogRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails',
  validateSearch: readEmailLogSearch,
}).lazy(() => import('./email-log.tsx').then(page => page.route));

export const emailServerRoute = createRoute({ getParentRoute: () => projectRoute, path: 'emails/server' }).lazy(() =>
  import('./server-page.tsx').then(page => page.route),
);

export const emailsRoutes = [emailLogRoute, emailServerRoute] as const;
