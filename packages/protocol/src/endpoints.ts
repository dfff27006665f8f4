import { type Endpoint, pathParameters, type RouteOf } from './endpoint.ts';
import { accountDeletionEndpoints, userDeletionEndpoints } from './resources/accounts/account-deletion.ts';
import { contactChannelEndpoints } from './resources/accounts/contact-channels.ts';
import { dataExportEndpoints } from './resources/accounts/data-export.ts';
import { emailVerificationEndpoints } from './resources/accounts/email-verification.ts';
import { ownActivityEndpoints } from './resources/accounts/own-activity.ts';
import { ownPasskeyEndpoints } from './resources/accounts/own-passkeys.ts';
import { signInBlockEndpoints, userAdministrationEndpoints } from './resources/accounts/user-administration.ts';
import { userSuspensionEndpoints } from './resources/accounts/user-suspension.ts';
import { userEndpoints } from './resources/accounts/users.ts';
import { apiKeyServiceEndpoints, teamApiKeyEndpoints, userApiKeyEndpoints } from './resources/api-keys.ts';
import { auditEndpoints } from './resources/audit.ts';
import { emailExtensionEndpoints, messageEndpoints } from './resources/email/email-extensions.ts';
import { emailEndpoints, emailTemplateEndpoints } from './resources/email/emails.ts';
import { notificationEndpoints } from './resources/email/notifications.ts';
import {
  accountDeletionSettings,
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
  signUpRestrictionSettings,
  teamRoleSettings,
} from './resources/extensions.ts';
import { imageEndpoints } from './resources/images.ts';
import { metricsEndpoints } from './resources/metrics.ts';
import { connectedAccountEndpoints, ownAccountEndpoints } from './resources/oauth/connected-accounts.ts';
import { oauthEndpoints } from './resources/oauth/oauth.ts';
import { providerTestEndpoints } from './resources/oauth/provider-tests.ts';
import {
  projectPermissionDefinitionEndpoints,
  projectPermissionEndpoints,
  teamPermissionDefinitionEndpoints,
  teamPermissionEndpoints,
} from './resources/permissions.ts';
import { internalApiKeyEndpoints } from './resources/projects/internal-api-keys.ts';
import { projectMemberEndpoints } from './resources/projects/project-members.ts';
import { projectAdminEndpoints, projectEndpoints } from './resources/projects/projects.ts';
import { signingKeyEndpoints } from './resources/projects/signing-keys.ts';
import { serviceEndpoints } from './resources/service.ts';
import { endedSessionEndpoints } from './resources/sessions/ended-sessions.ts';
import { deviceSessionEndpoints, sessionEndpoints } from './resources/sessions/sessions.ts';
import { anonymousEndpoints } from './resources/sign-in/anonymous.ts';
import { cliEndpoints } from './resources/sign-in/cli.ts';
import { mfaEndpoints } from './resources/sign-in/mfa.ts';
import { otpEndpoints } from './resources/sign-in/otp.ts';
import { passkeyEndpoints } from './resources/sign-in/passkeys.ts';
import { passwordEndpoints } from './resources/sign-in/password.ts';
import { reauthenticationEndpoints } from './resources/sign-in/reauthentication.ts';
import { recoveryCodeEndpoints } from './resources/sign-in/recovery-codes.ts';
import { teamInvitationEndpoints } from './resources/teams/team-invitations.ts';
import { teamMemberProfileEndpoints } from './resources/teams/team-member-profiles.ts';
import { teamMembershipEndpoints } from './resources/teams/team-memberships.ts';
import { teamRoleEndpoints } from './resources/teams/team-roles.ts';
import { teamEndpoints, teamListEndpoints } from './resources/teams/teams.ts';
import { webhookEndpoints } from './resources/webhooks/webhooks.ts';

const resources = [
  serviceEndpoints,
  projectEndpoints,
  projectAdminEndpoints,
  projectMemberEndpoints,
  internalApiKeyEndpoints,
  userEndpoints,
  userAdministrationEndpoints,
  signInBlockEndpoints,
  userSuspensionEndpoints,
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
  providerTestEndpoints,
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
  accountDeletionEndpoints,
  userDeletionEndpoints,
  webhookEndpoints,
  imageEndpoints,
  auditEndpoints,
  metricsEndpoints,
  signingKeyEndpoints,
  accountDeletionSettings,
  anonymousUserSettings,
  brandingSettings,
  signInNoticeSettings,
  signUpRestrictionSettings,
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
