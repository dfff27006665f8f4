import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

const securityRoute = createRoute({ getParentRoute: () => projectRoute, path: 'security' }).lazy(() =>
  import('./security-page.tsx').then(page => page.route),
);

export const securityRoutes = [securityRoute] as const;
