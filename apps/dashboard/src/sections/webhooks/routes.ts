import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readDeliverySearch } from './search.ts';

const webhooksRoute = createRoute({ getParentRoute: () => projectRoute, path: 'webhooks' }).lazy(() =>
  import('./webhook-list.tsx').then(page => page.route),
);

export const webhookRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'webhooks/$endpointId',
  validateSearch: readDeliverySearch,
}).lazy(() => import('./endpoint-page.tsx').then(page => page.route));

export const webhooksRoutes = [webhooksRoute, webhookRoute] as const;
