import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** Everything that needs a signed-in owner. */
export const ownerRoute = createRoute({ getParentRoute: () => rootRoute, id: 'owner' });
