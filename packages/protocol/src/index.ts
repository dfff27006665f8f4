export * from './access/access.ts';
export * from './access/permissions.ts';
export {
  type InvitedRole,
  invitedRoles,
  isRoleAtLeast,
  type ProjectRole,
  projectRoles,
} from './access/roles.ts';
export type { Json } from './catalogue/row.ts';
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
  roleOf,
  type Tag,
} from './endpoint.ts';
export { endpoints, type Route, type Routes } from './endpoints.ts';
export * from './errors.ts';
export { fail } from './fail.ts';
export { coercionOf } from './fields/coerce.ts';
export { isEmail, isStrictEmail } from './fields/email-syntax.ts';
export { isProjectId, isUuid, userIdOrMe } from './fields/fields.ts';
export * from './headers.ts';
export * from './limits.ts';
export { openApiDocument } from './openapi/openapi.ts';
export { withSvixRoutes } from './openapi/openapi-svix.ts';
export { type OAuthProviderId, oauthProviderIds, oauthProviderNames, sharedOAuthProviderIds } from './providers.ts';
export { accountDeletionEndpoints, userDeletionEndpoints } from './resources/accounts/account-deletion.ts';
export { contactChannelEndpoints } from './resources/accounts/contact-channels.ts';
export { dataExportEndpoints } from './resources/accounts/data-export.ts';
export { emailVerificationEndpoints } from './resources/accounts/email-verification.ts';
export { ownActivityEndpoints, type SecurityAction, securityActions } from './resources/accounts/own-activity.ts';
export { ownPasskeyEndpoints } from './resources/accounts/own-passkeys.ts';
export {
  importedUser,
  signInBlockEndpoints,
  userAdministrationEndpoints,
} from './resources/accounts/user-administration.ts';
export { userSuspensionEndpoints } from './resources/accounts/user-suspension.ts';
export { userEndpoints } from './resources/accounts/users.ts';
export {
  type ApiKeyKind,
  apiKeyServiceEndpoints,
  teamApiKeyEndpoints,
  userApiKeyEndpoints,
} from './resources/api-keys.ts';
export { type AuditAction, type AuditActorType, auditActions, auditEndpoints } from './resources/audit.ts';
export { emailExtensionEndpoints, messageEndpoints } from './resources/email/email-extensions.ts';
export {
  type EmailTemplateType,
  type EmailTheme,
  emailEndpoints,
  emailTemplateEndpoints,
  emailTemplateTypes,
  emailThemes,
} from './resources/email/emails.ts';
export { notificationCategories, notificationEndpoints } from './resources/email/notifications.ts';
export {
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
export { imageEndpoints } from './resources/images.ts';
export { metricsEndpoints } from './resources/metrics.ts';
export { connectedAccountEndpoints, ownAccountEndpoints } from './resources/oauth/connected-accounts.ts';
export { oauthEndpoints } from './resources/oauth/oauth.ts';
export { providerTestEndpoints, providerTestFailureReasons } from './resources/oauth/provider-tests.ts';
export {
  projectPermissionDefinitionEndpoints,
  projectPermissionEndpoints,
  teamPermissionDefinitionEndpoints,
  teamPermissionEndpoints,
} from './resources/permissions.ts';
export { internalApiKeyEndpoints } from './resources/projects/internal-api-keys.ts';
export { projectMemberEndpoints } from './resources/projects/project-members.ts';
export { projectAdminEndpoints, projectEndpoints } from './resources/projects/projects.ts';
export { signingKeyEndpoints } from './resources/projects/signing-keys.ts';
export { serviceEndpoints } from './resources/service.ts';
export { endedSessionEndpoints, endedSessionsType } from './resources/sessions/ended-sessions.ts';
export { deviceSessionEndpoints, sessionEndpoints } from './resources/sessions/sessions.ts';
export { anonymousEndpoints } from './resources/sign-in/anonymous.ts';
export { cliEndpoints } from './resources/sign-in/cli.ts';
export { mfaEndpoints } from './resources/sign-in/mfa.ts';
export { otpEndpoints } from './resources/sign-in/otp.ts';
export { passkeyEndpoints, passkeyRpIdPlaceholder } from './resources/sign-in/passkeys.ts';
export { passwordEndpoints } from './resources/sign-in/password.ts';
export { reauthenticationEndpoints } from './resources/sign-in/reauthentication.ts';
export { recoveryCodeEndpoints } from './resources/sign-in/recovery-codes.ts';
export { teamInvitationEndpoints } from './resources/teams/team-invitations.ts';
export { teamMemberProfileEndpoints } from './resources/teams/team-member-profiles.ts';
export { teamMembershipEndpoints } from './resources/teams/team-memberships.ts';
export { teamRoleEndpoints } from './resources/teams/team-roles.ts';
export { teamEndpoints, teamListEndpoints } from './resources/teams/teams.ts';
export { type SvixEndpoint, svixEndpoints } from './resources/webhooks/svix.ts';
export { webhookEndpoints } from './resources/webhooks/webhooks.ts';
export { type AppleKey, readAppleKey } from './rules/apple-key.ts';
export * from './rules/printable-text.ts';
export * from './rules/sign-up-restrictions.ts';
export * from './rules/trusted-domains.ts';
export { isLocalHost, isLoopbackHost, parseUrl } from './urls.ts';
export { type WebhookEventType, webhookEventTypes } from './webhooks.ts';
