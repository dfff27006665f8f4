import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readComposeSearch, readEmailLogSearch } from './search.ts';

export const emailLogRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails',
  validateSearch: readEmailLogSearch,
});

export const waitingEmailsRoute = createRoute({ getParentRoute: () => projectRoute, path: 'emails/waiting' });

export const emailServerRoute = createRoute({ getParentRoute: () => projectRoute, path: 'emails/server' });

export const emailTemplatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/templates',
});

export const emailTemplateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/templates/$type',
});

export const messagesRoute = createRoute({ getParentRoute: () => projectRoute, path: 'emails/messages' });

export const composeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/messages/new',
  validateSearch: readComposeSearch,
});

export const messageRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/messages/$messageId',
});
