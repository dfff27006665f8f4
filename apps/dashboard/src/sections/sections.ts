import { apiKeysRoutes } from './api-keys/routes.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { domainsRoutes } from './domains/routes.ts';
import { emailsRoutes } from './emails/routes.ts';
import { getStartedRoutes } from './get-started/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { permissionsRoutes } from './permissions/routes.ts';
import { projectSettingsRoutes } from './project-settings/routes.ts';
import { securityRoutes } from './security/routes.ts';
import { signInMethodsRoutes } from './sign-in-methods/routes.ts';
import { teamsRoutes } from './teams/routes.ts';
import { usersRoutes } from './users/routes.ts';
import { webhooksRoutes } from './webhooks/routes.ts';

/** The routes of all sections of a project. A new section adds its routes here and its row to navigation.ts. */
export const sectionRoutes = [
  ...getStartedRoutes,
  ...overviewRoutes,
  ...usersRoutes,
  ...permissionsRoutes,
  ...teamsRoutes,
  ...emailsRoutes,
  ...webhooksRoutes,
  ...auditLogRoutes,
  ...securityRoutes,
  ...signInMethodsRoutes,
  ...domainsRoutes,
  ...apiKeysRoutes,
  ...projectSettingsRoutes,
] as const;
