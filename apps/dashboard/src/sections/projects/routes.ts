import { createRoute } from '@tanstack/react-router';
import { ownerRoute } from '../../routes/owner.ts';

export const projectListRoute = createRoute({ getParentRoute: () => ownerRoute, path: '/' });

export const newProjectRoute = createRoute({ getParentRoute: () => ownerRoute, path: 'new-project' });
