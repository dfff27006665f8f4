import { loadFilledTable } from '../components/table/load-filled-table.ts';
import { apiKeysRoute } from './api-keys/routes.ts';
import { auditEventRoute, auditLogRoute, traceRoute } from './audit-log/routes.ts';
import { domainsRoute } from './domains/routes.ts';
import {
  composeRoute,
  emailLogRoute,
  emailServerRoute,
  emailTemplateRoute,
  emailTemplatesRoute,
  messageRoute,
  messagesRoute,
  waitingEmailsRoute,
} from './emails/routes.ts';
import { getStartedRoute } from './get-started/routes.ts';
import { loadDayChart } from './overview/load-day-chart.ts';
import { overviewRoute } from './overview/routes.ts';
import { permissionsRoute } from './permissions/routes.ts';
import { projectSettingsRoute } from './project-settings/routes.ts';
import { securityRoute } from './security/routes.ts';
import { signInMethodsRoute } from './sign-in-methods/routes.ts';
import { teamRoute, teamsRoute } from './teams/routes.ts';
import { importUsersRoute, userRoute, usersRoute } from './users/routes.ts';
import { webhookRoute, webhooksRoute } from './webhooks/routes.ts';

/**
 * The pages of all sections of a project, each loaded when it is opened. The routes are in files of their own, because pages
 * import them. A new section adds its pages here and its row to navigation.ts.
 */
export const sectionRoutes = [
  getStartedRoute.lazy(() => import('./get-started/get-started-page.tsx').then(page => page.route)),
  overviewRoute.lazy(() => {
    // The charts load beside the page, not after its data. A failure is reported by the page, which loads them again.
    loadDayChart().catch(() => undefined);
    return import('./overview/overview-page.tsx').then(page => page.route);
  }),
  usersRoute.lazy(() => {
    // Beside the page. A failure is reported by the table, which loads its code again.
    loadFilledTable().catch(() => undefined);
    return import('./users/user-list.tsx').then(page => page.route);
  }),
  importUsersRoute.lazy(() => import('./users/import/import-page.tsx').then(page => page.route)),
  userRoute.lazy(() => import('./users/user-page.tsx').then(page => page.route)),
  permissionsRoute.lazy(() => import('./permissions/permissions-page.tsx').then(page => page.route)),
  teamsRoute.lazy(() => import('./teams/team-list.tsx').then(page => page.route)),
  teamRoute.lazy(() => import('./teams/team-page.tsx').then(page => page.route)),
  emailLogRoute.lazy(() => import('./emails/email-log.tsx').then(page => page.route)),
  waitingEmailsRoute.lazy(() => import('./emails/waiting/waiting-list.tsx').then(page => page.route)),
  emailServerRoute.lazy(() => import('./emails/server-page.tsx').then(page => page.route)),
  emailTemplatesRoute.lazy(() => import('./emails/templates/template-list.tsx').then(page => page.route)),
  emailTemplateRoute.lazy(() => import('./emails/templates/template-page.tsx').then(page => page.route)),
  messagesRoute.lazy(() => import('./emails/messages/message-list.tsx').then(page => page.route)),
  composeRoute.lazy(() => import('./emails/messages/compose-page.tsx').then(page => page.route)),
  messageRoute.lazy(() => import('./emails/messages/message-page.tsx').then(page => page.route)),
  webhooksRoute.lazy(() => import('./webhooks/webhook-list.tsx').then(page => page.route)),
  webhookRoute.lazy(() => import('./webhooks/endpoint-page.tsx').then(page => page.route)),
  auditLogRoute.lazy(() => import('./audit-log/audit-log-page.tsx').then(page => page.route)),
  auditEventRoute.lazy(() => import('./audit-log/event-page.tsx').then(page => page.route)),
  traceRoute.lazy(() => import('./audit-log/trace-page.tsx').then(page => page.route)),
  securityRoute.lazy(() => import('./security/security-page.tsx').then(page => page.route)),
  signInMethodsRoute.lazy(() => import('./sign-in-methods/sign-in-methods-page.tsx').then(page => page.route)),
  domainsRoute.lazy(() => import('./domains/domains-page.tsx').then(page => page.route)),
  apiKeysRoute.lazy(() => import('./api-keys/api-keys-page.tsx').then(page => page.route)),
  projectSettingsRoute.lazy(() => import('./project-settings/project-settings-page.tsx').then(page => page.route)),
] as const;
