import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** The sign-in pages of the project `internal`. */
export const handlerRoute = createRoute({ getParentRoute: () => rootRoute, path: 'handler/$' });
