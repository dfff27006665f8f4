import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

const domainsRoute = createRoute({ getParentRoute: () => projectRoute, path: 'domains' }).lazy(() =>
  import('./domains-page.tsx').then(page => page.route),
);

export const domainsRoutes = [domainsRoute] as const;
