import { type Endpoint, pathParameters, type RouteOf } from './endpoint.ts';
import { anonymousEndpoints } from './resources/anonymous.ts';
import { apiKeyServiceEndpoints, teamApiKeyEndpoints, userApiKeyEndpoints } from './resources/api-keys.ts';
import { auditEndpoints } from './resources/audit.ts';
import { cliEndpoints } from './resources/cli.ts';
import { connectedAccountEndpoints, ownAccountEndpoints } from './resources/connected-accounts.ts';
import { contactChannelEndpoints } from './resources/contact-channels.ts';
import { dataExportEndpoints } from './resources/data-export.ts';
import { emailExtensionEndpoints, messageEndpoints } from './resources/email-extensions.ts';
import { emailVerificationEndpoints } from './resources/email-verification.ts';
import { emailEndpoints, emailTemplateEndpoints } from './resources/emails.ts';
import { endedSessionEndpoints } from './resources/ended-sessions.ts';
import {
  anonymousUserSettings,
  auditLogSettings,
  brandingSettings,
  emailVerificationSettings,
  firstOwnerEndpoints,
  invitationSettings,
  limitSettings,
  passkeyPolicySettings,
  passwordPolicySettings,
  sessionPolicySettings,
  signInNoticeSettings,
  teamRoleSettings,
} from './resources/extensions.ts';
import { imageEndpoints } from './resources/images.ts';
import { internalApiKeyEndpoints } from './resources/internal-api-keys.ts';
import { metricsEndpoints } from './resources/metrics.ts';
import { mfaEndpoints } from './resources/mfa.ts';
import { notificationEndpoints } from './resources/notifications.ts';
import { oauthEndpoints } from './resources/oauth.ts';
import { otpEndpoints } from './resources/otp.ts';
import { ownActivityEndpoints } from './resources/own-activity.ts';
import { ownPasskeyEndpoints } from './resources/own-passkeys.ts';
import { passkeyEndpoints } from './resources/passkeys.ts';
import { passwordEndpoints } from './resources/password.ts';
import {
  projectPermissionDefinitionEndpoints,
  projectPermissionEndpoints,
  teamPermissionDefinitionEndpoints,
  teamPermissionEndpoints,
} from './resources/permissions.ts';
import { projectMemberEndpoints } from './resources/project-members.ts';
import { projectAdminEndpoints, projectEndpoints } from './resources/projects.ts';
import { reauthenticationEndpoints } from './resources/reauthentication.ts';
import { recoveryCodeEndpoints } from './resources/recovery-codes.ts';
import { serviceEndpoints } from './resources/service.ts';
import { deviceSessionEndpoints, sessionEndpoints } from './resources/sessions.ts';
import { signingKeyEndpoints } from './resources/signing-keys.ts';
import { teamInvitationEndpoints } from './resources/team-invitations.ts';
import { teamMemberProfileEndpoints } from './resources/team-member-profiles.ts';
import { teamMembershipEndpoints } from './resources/team-memberships.ts';
import { teamRoleEndpoints } from './resources/team-roles.ts';
import { teamEndpoints, teamListEndpoints } from './resources/teams.ts';
import { userAdministrationEndpoints } from './resources/user-administration.ts';
import { userEndpoints } from './resources/users.ts';
import { webhookEndpoints } from './resources/webhooks.ts';

const resources = [
  serviceEndpoints,
  projectEndpoints,
  projectAdminEndpoints,
  projectMemberEndpoints,
  internalApiKeyEndpoints,
  userEndpoints,
  userAdministrationEndpoints,
  contactChannelEndpoints,
  emailVerificationEndpoints,
  notificationEndpoints,
  emailTemplateEndpoints,
  emailEndpoints,
  emailExtensionEndpoints,
  messageEndpoints,
  connectedAccountEndpoints,
  teamEndpoints,
  teamListEndpoints,
  teamMembershipEndpoints,
  teamMemberProfileEndpoints,
  teamInvitationEndpoints,
  teamRoleEndpoints,
  teamPermissionDefinitionEndpoints,
  projectPermissionDefinitionEndpoints,
  teamPermissionEndpoints,
  projectPermissionEndpoints,
  userApiKeyEndpoints,
  teamApiKeyEndpoints,
  apiKeyServiceEndpoints,
  passwordEndpoints,
  otpEndpoints,
  mfaEndpoints,
  passkeyEndpoints,
  oauthEndpoints,
  anonymousEndpoints,
  cliEndpoints,
  sessionEndpoints,
  deviceSessionEndpoints,
  endedSessionEndpoints,
  reauthenticationEndpoints,
  recoveryCodeEndpoints,
  ownPasskeyEndpoints,
  ownAccountEndpoints,
  ownActivityEndpoints,
  dataExportEndpoints,
  webhookEndpoints,
  imageEndpoints,
  auditEndpoints,
  metricsEndpoints,
  signingKeyEndpoints,
  anonymousUserSettings,
  brandingSettings,
  signInNoticeSettings,
  emailVerificationSettings,
  passkeyPolicySettings,
  passwordPolicySettings,
  sessionPolicySettings,
  invitationSettings,
  teamRoleSettings,
  limitSettings,
  auditLogSettings,
  firstOwnerEndpoints,
] as const;

type Resource = (typeof resources)[number];
type EachOf<R> = R extends unknown ? R[keyof R] : never;

/** Every endpoint by its route: `Routes['GET /users/me']`. */
export type Routes = { [E in EachOf<Resource> as E extends Endpoint ? RouteOf<E> : never]: E };

export type Route = keyof Routes;

/** The endpoint table: the complete API. */
export const endpoints: readonly Endpoint[] = resources.flatMap(resource => Object.values<Endpoint>(resource));

assertConsistent(endpoints);

/** Fails at load time when the table contradicts itself. */
function assertConsistent(table: readonly Endpoint[]): void {
  const seen = new Set<string>();
  for (const declared of table) {
    const route = `${declared.method} ${declared.path}`;
    if (seen.has(route)) throw new Error(`endpoint declared twice: ${route}`);
    seen.add(route);
    const inPath = pathParameters(declared.path).sort().join();
    const inSchema = Object.keys(declared.params?.shape ?? {})
      .sort()
      .join();
    if (inPath !== inSchema)
      throw new Error(`parameters of ${route}: the path has [${inPath}], the schema [${inSchema}]`);
  }
}
