import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readDeliverySearch } from './search.ts';

export const webhooksRoute = createRoute({ getParentRoute: () => projectRoute, path: 'webhooks' });

export const webhookRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'webhooks/$endpointId',
  validateSearch: readDeliverySearch,
});
