import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

export const domainsRoute = createRoute({ getParentRoute: () => projectRoute, path: 'domains' });
