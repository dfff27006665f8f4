import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../routes/root.tsx';

/** The target of the link in the email that invites a user to manage a project. */
export const invitationRoute = createRoute({ getParentRoute: () => rootRoute, path: 'invitation' });
