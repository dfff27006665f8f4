import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readComposeSearch, readEmailLogSearch } from './search.ts';

export const emailLogRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails',
  validateSearch: readEmailLogSearch,
}).lazy(() => import('./email-log.tsx').then(page => page.route));

const emailServerRoute = createRoute({ getParentRoute: () => projectRoute, path: 'emails/server' }).lazy(() =>
  import('./server-page.tsx').then(page => page.route),
);

const emailTemplatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/templates',
}).lazy(() => import('./templates/template-list.tsx').then(page => page.route));

export const emailTemplateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/templates/$type',
}).lazy(() => import('./templates/template-page.tsx').then(page => page.route));

const messagesRoute = createRoute({ getParentRoute: () => projectRoute, path: 'emails/messages' }).lazy(() =>
  import('./messages/message-list.tsx').then(page => page.route),
);

export const composeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/messages/new',
  validateSearch: readComposeSearch,
}).lazy(() => import('./messages/compose-page.tsx').then(page => page.route));

export const messageRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'emails/messages/$messageId',
}).lazy(() => import('./messages/message-page.tsx').then(page => page.route));

export const emailsRoutes = [
  emailLogRoute,
  emailServerRoute,
  emailTemplatesRoute,
  emailTemplateRoute,
  messagesRoute,
  composeRoute,
  messageRoute,
] as const;
