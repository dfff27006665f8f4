import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

const getStartedRoute = createRoute({ getParentRoute: () => projectRoute, path: 'get-started' }).lazy(() =>
  import('./get-started-page.tsx').then(page => page.route),
);

export const getStartedRoutes = [getStartedRoute] as const;
