import { createRoute } from '@tanstack/react-router';
import { ownerRoute } from '../../routes/owner.ts';

const projectListRoute = createRoute({ getParentRoute: () => ownerRoute, path: '/' }).lazy(() =>
  import('./project-list.tsx').then(page => page.route),
);

const newProjectRoute = createRoute({ getParentRoute: () => ownerRoute, path: 'new-project' }).lazy(() =>
  import('./new-project.tsx').then(page => page.route),
);

export const projectsRoutes = [projectListRoute, newProjectRoute] as const;
