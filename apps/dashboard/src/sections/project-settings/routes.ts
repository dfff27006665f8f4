import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';

const projectSettingsRoute = createRoute({ getParentRoute: () => projectRoute, path: 'settings' }).lazy(() =>
  import('./project-settings-page.tsx').then(page => page.route),
);

export const projectSettingsRoutes = [projectSettingsRoute] as const;
