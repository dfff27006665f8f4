import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readSignInMethodsSearch } from './search.ts';

export const signInMethodsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'sign-in-methods',
  validateSearch: readSignInMethodsSearch,
});
