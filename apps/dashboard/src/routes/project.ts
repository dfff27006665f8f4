import { createRoute, redirect } from '@tanstack/react-router';
import { ownerRoute } from './owner.ts';

/** One project, in the shell with the navigation. The routes of all sections are below it. */
export const projectRoute = createRoute({ getParentRoute: () => ownerRoute, path: 'projects/$projectId' });

/** The first section of a project. */
export const projectIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/overview', params, replace: true });
  },
});
