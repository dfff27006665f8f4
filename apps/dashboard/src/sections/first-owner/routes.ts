import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../routes/root.tsx';

/** The target of the one-time link in the log of the server. */
export const firstOwnerRoute = createRoute({ getParentRoute: () => rootRoute, path: 'first-owner' });
