import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

export const getStartedRoute = createRoute({ getParentRoute: () => projectRoute, path: 'get-started' });
