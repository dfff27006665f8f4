import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readApiKeysSearch } from './search.ts';

export const apiKeysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'api-keys',
  validateSearch: readApiKeysSearch,
});
