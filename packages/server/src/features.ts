import { type Endpoint, endpoints } from '@tessera/protocol';
import type { Deps } from './deps.ts';
import { contactChannelRoutes } from './features/accounts/contact-channels/routes.ts';
import { createUserCreation, type OnUserCreated } from './features/accounts/users/index.ts';
import { userRoutes } from './features/accounts/users/routes.ts';
import { deleteUserKeys } from './features/api-keys/index.ts';
import { apiKeyRoutes } from './features/api-keys/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { notificationRoutes } from './features/email/notifications/routes.ts';
import { emailRoutes } from './features/email/routes.ts';
import { extensionRoutes } from './features/extensions/routes.ts';
import { imageRoutes } from './features/images/routes.ts';
import { firstOwnerRoutes } from './features/installation/first-owner.ts';
import { ownInstallation } from './features/installation/index.ts';
import { metricsRoutes } from './features/metrics/routes.ts';
import { connectedAccountRoutes } from './features/oauth/connected-accounts/routes.ts';
import { createLinkCompletion, endPendingFlows } from './features/oauth/index.ts';
import { oauthRoutes } from './features/oauth/routes.ts';
import { assertGrantable, createProject } from './features/permissions/index.ts';
import { permissionRoutes } from './features/permissions/routes.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { serviceRoutes } from './features/service/routes.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { createAccountOpening, createCredentialRemoval } from './features/sign-in/index.ts';
import { passkeyRoutes } from './features/sign-in/passkey/routes.ts';
import { reauthenticationRoutes } from './features/sign-in/reauthentication/routes.ts';
import { signInRoutes } from './features/sign-in/routes.ts';
import { createTeamOnSignUp } from './features/teams/index.ts';
import { teamInvitationRoutes } from './features/teams/invitations/routes.ts';
import { teamMemberProfileRoutes } from './features/teams/member-profiles/routes.ts';
import { teamMembershipRoutes } from './features/teams/memberships/routes.ts';
import { teamRoutes } from './features/teams/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import type { BoundRoute } from './http/bind.ts';

/** The first user of `internal` owns a development installation; in production only the owner link creates an owner. */
const onFirstUser = ({ settings }: Deps): readonly OnUserCreated[] =>
  settings.mode === 'development' ? [ownInstallation] : [];

/**
 * The routes of the whole server.
 *
 * @throws when an endpoint of the table has no handler, or two
 */
export function allRoutes(deps: Deps): BoundRoute[] {
  const onUserUpgraded = onFirstUser(deps);
  const createUser = createUserCreation([...onUserUpgraded, createTeamOnSignUp]);
  const credentialRemoval = createCredentialRemoval([endPendingFlows, deleteUserKeys]);
  const openAccount = createAccountOpening({ createUser, onUserUpgraded, credentialRemoval }, deps);
  const routes = [
    ...serviceRoutes(deps),
    ...projectRoutes(deps, { createProject, assertGrantable }),
    ...permissionRoutes(deps),
    ...auditRoutes(deps),
    ...userRoutes(deps, createUser),
    ...sessionRoutes(deps),
    ...contactChannelRoutes(deps),
    ...notificationRoutes(deps),
    ...emailRoutes(deps),
    ...signInRoutes(deps, {
      createUser,
      openAccount,
      credentialRemoval,
      completeLink: createLinkCompletion({ openAccount, deps }),
    }),
    ...oauthRoutes(deps, openAccount),
    ...connectedAccountRoutes(deps),
    ...passkeyRoutes(deps),
    ...reauthenticationRoutes(deps),
    ...teamRoutes(deps),
    ...teamMembershipRoutes(deps),
    ...teamMemberProfileRoutes(deps),
    ...teamInvitationRoutes(deps),
    ...apiKeyRoutes(deps),
    ...metricsRoutes(deps),
    ...webhookRoutes(deps),
    ...imageRoutes(deps),
    ...extensionRoutes(deps),
    ...firstOwnerRoutes(deps, createUser),
  ];
  assertComplete(routes, endpoints);
  return routes;
}

function assertComplete(routes: readonly BoundRoute[], table: readonly Endpoint[]): void {
  for (const endpoint of table) {
    const count = routes.filter(route => route.endpoint === endpoint).length;
    if (count !== 1) throw new Error(`${endpoint.method} ${endpoint.path} has ${count} handlers, one is needed`);
  }
}
