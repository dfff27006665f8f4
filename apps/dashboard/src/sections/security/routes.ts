import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

export const securityRoute = createRoute({ getParentRoute: () => projectRoute, path: 'security' });
