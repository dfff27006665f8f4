import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

export const projectSettingsRoute = createRoute({ getParentRoute: () => projectRoute, path: 'settings' });
