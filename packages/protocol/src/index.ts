export * from './access.ts';
export type { Json } from './catalogue/row.ts';
export { coercionOf } from './coerce.ts';
export {
  type Answer,
  type Args,
  type Endpoint,
  endpoint,
  type Input,
  type Method,
  pathParameters,
  type Reply,
  type RouteOf,
  type Tag,
} from './endpoint.ts';
export { endpoints, type Route, type Routes } from './endpoints.ts';
export * from './errors.ts';
export { fail } from './fail.ts';
export { isEmail, isProjectId, isStrictEmail, userIdOrMe } from './fields.ts';
export * from './headers.ts';
export * from './limits.ts';
export { openApiDocument } from './openapi.ts';
export { withSvixRoutes } from './openapi-svix.ts';
export * from './permissions.ts';
export { type OAuthProviderId, oauthProviderIds, oauthProviderNames, sharedOAuthProviderIds } from './providers.ts';
export { anonymousEndpoints } from './resources/anonymous.ts';
export {
  type ApiKeyKind,
  apiKeyServiceEndpoints,
  teamApiKeyEndpoints,
  userApiKeyEndpoints,
} from './resources/api-keys.ts';
export { type AuditAction, type AuditActorType, auditActions, auditEndpoints } from './resources/audit.ts';
export { cliEndpoints } from './resources/cli.ts';
export { connectedAccountEndpoints, ownAccountEndpoints } from './resources/connected-accounts.ts';
export { contactChannelEndpoints } from './resources/contact-channels.ts';
export { dataExportEndpoints } from './resources/data-export.ts';
export { emailExtensionEndpoints, messageEndpoints } from './resources/email-extensions.ts';
export { emailVerificationEndpoints } from './resources/email-verification.ts';
export {
  type EmailTemplateType,
  type EmailTheme,
  emailEndpoints,
  emailTemplateEndpoints,
  emailTemplateTypes,
  emailThemes,
} from './resources/emails.ts';
export { endedSessionEndpoints, endedSessionsType } from './resources/ended-sessions.ts';
export {
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
export { imageEndpoints } from './resources/images.ts';
export { internalApiKeyEndpoints } from './resources/internal-api-keys.ts';
export { metricsEndpoints } from './resources/metrics.ts';
export { mfaEndpoints } from './resources/mfa.ts';
export { notificationCategories, notificationEndpoints } from './resources/notifications.ts';
export { oauthEndpoints } from './resources/oauth.ts';
export { otpEndpoints } from './resources/otp.ts';
export { ownActivityEndpoints, type SecurityAction, securityActions } from './resources/own-activity.ts';
export { ownPasskeyEndpoints } from './resources/own-passkeys.ts';
export { passkeyEndpoints, passkeyRpIdPlaceholder } from './resources/passkeys.ts';
export { passwordEndpoints } from './resources/password.ts';
export {
  projectPermissionDefinitionEndpoints,
  projectPermissionEndpoints,
  teamPermissionDefinitionEndpoints,
  teamPermissionEndpoints,
} from './resources/permissions.ts';
export { projectMemberEndpoints } from './resources/project-members.ts';
export { projectAdminEndpoints, projectEndpoints } from './resources/projects.ts';
export { reauthenticationEndpoints } from './resources/reauthentication.ts';
export { recoveryCodeEndpoints } from './resources/recovery-codes.ts';
export { serviceEndpoints } from './resources/service.ts';
export { deviceSessionEndpoints, sessionEndpoints } from './resources/sessions.ts';
export { signingKeyEndpoints } from './resources/signing-keys.ts';
export { type SvixEndpoint, svixEndpoints } from './resources/svix.ts';
export { teamInvitationEndpoints } from './resources/team-invitations.ts';
export { teamMemberProfileEndpoints } from './resources/team-member-profiles.ts';
export { teamMembershipEndpoints } from './resources/team-memberships.ts';
export { teamRoleEndpoints } from './resources/team-roles.ts';
export { teamEndpoints, teamListEndpoints } from './resources/teams.ts';
export { importedUser, userAdministrationEndpoints } from './resources/user-administration.ts';
export { userEndpoints } from './resources/users.ts';
export { webhookEndpoints } from './resources/webhooks.ts';
export {
  type InvitedRole,
  invitedRoles,
  isRoleAtLeast,
  type ProjectRole,
  projectRoles,
  roleOf,
} from './roles.ts';
export { parseUrl } from './urls.ts';
export { type WebhookEventType, webhookEventTypes } from './webhooks.ts';
