/** The SDK of Tessera without a framework: apps for browsers, servers and the owners of projects. */

export type {
  AuditAction,
  AuditActorType,
  InvitedRole,
  Json,
  ProjectRole,
  RateLimitName,
  WebhookEventType,
} from '@tessera/protocol';
export { isKnown, KnownError, KnownErrors } from '@tessera/protocol/errors';
export {
  decideSignUp,
  normalizeSignUpEntry,
  type SignUpDecision,
  type SignUpRestrictions,
} from '@tessera/protocol/sign-up-restrictions';
export { AdminApp, type AdminAppConstructor, type AdminAppMethods } from './app/admin-app.ts';
export { type AppFields, type AppMethods, ClientApp, type ClientAppConstructor } from './app/app.ts';
export type {
  AdminAppOptions,
  ClientAppOptions,
  CookieOptions,
  OAuthScopes,
  OwnerSessionOptions,
  RedirectMethod,
  RequestCookies,
  RequestLike,
  ServerAppOptions,
  TokenStoreAdapter,
  TokenStoreInit,
} from './app/config/options.ts';
export type {
  ApiKeyScope,
  ClientMetadata,
  ClientReadOnlyMetadata,
  PermissionId,
  ProviderName,
  Register,
  ServerMetadata,
  TeamClientMetadata,
  TeamClientReadOnlyMetadata,
  TeamServerMetadata,
} from './app/config/register.ts';
export { internals } from './app/internals-symbol.ts';
export type { ClientAppJson } from './app/rendering/app-json.ts';
export type { NextFunctions } from './app/rendering/next-functions.ts';
export { type GetServerUser, ServerApp, type ServerAppConstructor, type ServerAppMethods } from './app/server-app.ts';
export type { AccessTokenClaims } from './authentication/access-token.ts';
export type { JsonWebKeySet } from './authentication/public-keys.ts';
export type { Caught } from './errors/known-errors.ts';
export type { Failed, Ok, Result } from './errors/result.ts';
export { SdkError, type SdkErrorCode } from './errors/sdk-error.ts';
export type { ConnectedAccountOptions, Connection, OAuthConnection } from './features/account/connected-accounts.ts';
export type {
  ContactChannel,
  ContactChannelCreateOptions,
  ContactChannelUpdateOptions,
  ServerContactChannel,
  ServerContactChannelCreateOptions,
  ServerContactChannelUpdateOptions,
} from './features/account/contact-channels.ts';
export type { CurrentServerUser } from './features/account/current-user/current-server-user.ts';
export type { CurrentUser } from './features/account/current-user/current-user.ts';
export type { GetCurrentUser, GetUserOptions, Or, UserObservation } from './features/account/current-user/get-user.ts';
export type { NotificationCategory } from './features/account/notifications.ts';
export type { ListPermissionsOptions, ProjectPermission, TeamPermission } from './features/account/permissions.ts';
export type { AccountDeletion, AccountDeletionMethods } from './features/account/safety/account-deletion.ts';
export type {
  ActiveSession,
  ActiveSessionMethods,
  DeviceSession,
  GeoInfo,
} from './features/account/safety/active-sessions.ts';
export type { DataExportMethods } from './features/account/safety/data-export.ts';
export type { EmailCodeMethods } from './features/account/safety/email-code.ts';
export type { OwnPasskey, OwnPasskeyMethods } from './features/account/safety/own-passkeys.ts';
export type { ProviderAccount, ProviderAccountMethods } from './features/account/safety/provider-accounts.ts';
export type {
  ReauthenticationMethod,
  ReauthenticationMethods,
  ReauthenticationProof,
} from './features/account/safety/reauthentication.ts';
export type { RecoveryCodeMethods, RecoveryCodeStatus } from './features/account/safety/recovery-codes.ts';
export type {
  SecurityActivityMethods,
  SecurityActivityPage,
  SecurityEvent,
} from './features/account/safety/security-activity.ts';
export { createTotpEnrolment, type TotpEnrolment } from './features/account/safety/totp.ts';
export type { HasId } from './features/account/subject.ts';
export type { ServerUserFields, ServerUserJson, User, UserFields, UserJson } from './features/account/user.ts';
export type { ServerUserUpdateOptions, UserUpdateOptions } from './features/account/user-update.ts';
export type {
  AuditEvent,
  AuditEventPage,
  AuditedUser,
  AuditLogFilter,
  AuditLogMethods,
  AuditLogReads,
  ListAuditEventsOptions,
} from './features/admin/audit-log.ts';
export type {
  AdminLogEntry,
  AdminLoggedEmail,
  AdminWaitingEmail,
  EmailLogMethods,
  EmailLogOptions,
  EmailLogPage,
  WaitingEmailPage,
} from './features/admin/email/email-log.ts';
export type {
  AdminEmailTemplate,
  AdminSentEmail,
  EmailMethods,
  EmailReads,
  EmailTemplateType,
} from './features/admin/email/emails.ts';
export type {
  AdminMessage,
  EmailPreview,
  MessageAudience,
  MessageAudienceCount,
  MessageDraft,
  MessageMethods,
} from './features/admin/email/messages.ts';
export type {
  InternalApiKey,
  InternalApiKeyCreateOptions,
  InternalApiKeyFirstView,
} from './features/admin/internal-api-keys.ts';
export type {
  ApiKeyUsage,
  ApiKeyUsageReads,
  KeySetUse,
  SigningKeyMethods,
  SigningKeyRotation,
} from './features/admin/key-use.ts';
export type {
  DayCount,
  Metrics,
  MetricsHistory,
  MetricsHistoryOptions,
  MetricsReads,
} from './features/admin/metrics.ts';
export type {
  AdminProjectPermissionDefinition,
  AdminTeamPermissionDefinition,
  PermissionDefinitionCreateOptions,
  PermissionDefinitionUpdateOptions,
} from './features/admin/permission-definitions.ts';
export { defaultLimits, defaultRetentionDays } from './features/admin/policies/default-limits.ts';
export type {
  AccountDeletionSettings,
  AnonymousUserSettings,
  AuditLogSettings,
  Branding,
  EmailVerificationSettings,
  InvitationSettings,
  PasskeyPolicy,
  PasswordPolicy,
  ProjectLimits,
  ProjectPolicyMethods,
  ProjectPolicyReads,
  SessionPolicy,
  SignInNoticeSettings,
  TeamRoleSettings,
} from './features/admin/policies/objects.ts';
export type { ProductionModeError } from './features/admin/production-mode.ts';
export type {
  AdminOwnedProject,
  AdminProject,
  AdminProjectCreateOptions,
  AdminProjectUpdateOptions,
} from './features/admin/project.ts';
export type {
  AdminDomainConfig,
  AdminEmailConfig,
  AdminOAuthProviderConfig,
  AdminProjectConfig,
  AdminProjectConfigUpdate,
  EmailConfig,
  ProviderId,
} from './features/admin/project-config.ts';
export type { ProjectInvitation, ProjectMember, ProjectMemberMethods } from './features/admin/project-members.ts';
export type {
  ProviderTestAccount,
  ProviderTestFailureReason,
  ProviderTestMethods,
  ProviderTestResult,
} from './features/admin/provider-tests.ts';
export type { FindTeamsOptions, FoundTeamPage, TeamListMethods } from './features/admin/team-list.ts';
export type {
  EmailCodeState,
  FindUsersOptions,
  FoundUser,
  FoundUserPage,
  Impersonation,
  ImportedUser,
  ImportedUserResult,
  ImportUsersOptions,
  SignInBlock,
  UserAdministrationMethods,
  UserFilter,
  UserLink,
} from './features/admin/user-administration.ts';
export type {
  WebhookAttempt,
  WebhookDeliveryOptions,
  WebhookDeliveryStatus,
  WebhookEndpoint,
  WebhookEndpointCreateOptions,
  WebhookEndpointMessage,
  WebhookEndpointUpdateOptions,
  WebhookHistoryOptions,
  WebhookMessage,
  WebhookMethods,
  WebhookPage,
  WebhookPageOptions,
  WebhookReads,
} from './features/admin/webhooks/objects.ts';
export type {
  ApiKey,
  ApiKeyCreateOptions,
  ApiKeyUpdateOptions,
  TeamApiKey,
  TeamApiKeyFirstView,
  UserApiKey,
  UserApiKeyFirstView,
} from './features/api-keys/api-keys.ts';
export type { InternalUserPart } from './features/projects/owned-projects.ts';
export type { Project, ProjectConfig } from './features/projects/project.ts';
export type { ProjectInvitationDetails, ProjectInvitationMethods } from './features/projects/project-invitations.ts';
export type { RedirectToOptions } from './features/redirects.ts';
export type {
  AuthenticateOptions,
  Authentication,
  AuthenticationMethods,
  SignedIn,
  SignedOut,
  SignedOutReason,
} from './features/server/authentication.ts';
export type { PresentedApiKey } from './features/server/key-check.ts';
export type { Session } from './features/server/sessions.ts';
export type { UserSuspension } from './features/server/suspension.ts';
export type {
  ServerTeam,
  ServerTeamCreateOptions,
  ServerTeamUpdateOptions,
  ServerTeamUser,
  TeamById,
} from './features/server/teams.ts';
export type { ServerUser } from './features/server/user.ts';
export type { ListUsersOptions, ServerUserCreateOptions, UserById, UserPage } from './features/server/users.ts';
export type { MagicLinkSignInOptions } from './features/sign-in/magic-link.ts';
export type { PasskeySignInOptions } from './features/sign-in/passkey/passkey.ts';
export type { SecondFactorOption } from './features/sign-in/second-factor/second-factor.ts';
export type { SignOutOptions } from './features/sign-in/sign-out.ts';
export type { TeamInvitationPreview } from './features/teams/team-invitation-codes.ts';
export type { TeamInvitation } from './features/teams/team-invitations.ts';
export type {
  OpenTeamInvitation,
  TeamManagement,
  TeamMember,
  TeamMembersPage,
  TeamRole,
} from './features/teams/team-management.ts';
export type { EditableTeamMemberProfile, TeamMemberProfile, TeamUser } from './features/teams/team-members.ts';
export type { Team, TeamCreateOptions, TeamUpdateOptions } from './features/teams/teams.ts';
export type { HandlerUrls } from './navigation/urls.ts';
export { parseMetadata, type SchemaIssue, type SchemaResult, type StandardSchema } from './objects/metadata.ts';
export type { Tokens } from './session/tokens.ts';
export { RequestError, type RequestFailure } from './transport/request-error.ts';
export type { Optional } from './util/optional.ts';
