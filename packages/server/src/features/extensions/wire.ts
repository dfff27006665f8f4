import type {
  Answer,
  accountDeletionSettings,
  anonymousUserSettings,
  auditLogSettings,
  brandingSettings,
  emailVerificationSettings,
  Input,
  invitationSettings,
  limitSettings,
  passkeyPolicySettings,
  passwordPolicySettings,
  sessionPolicySettings,
  signInNoticeSettings,
  signUpRestrictionSettings,
  teamRoleSettings,
} from '@tessera/protocol';
import { normalizeSignUpEntry } from '@tessera/protocol';
import type { ProjectConfig } from '../../core/project-config.ts';
import type { SettingChanges } from '../projects/index.ts';

export function anonymousUsers(config: ProjectConfig): Answer<typeof anonymousUserSettings.read> {
  return { enabled: config.anonymousUsersEnabled };
}

export function anonymousUsersChanges(body: Input<typeof anonymousUserSettings.update>['body']): SettingChanges {
  return { anonymousUsersEnabled: body.enabled };
}

export function passwordPolicy(config: ProjectConfig): Answer<typeof passwordPolicySettings.read> {
  return { refuses_weak_passwords: config.refusesWeakPasswords ?? null };
}

export function passwordPolicyChanges(body: Input<typeof passwordPolicySettings.update>['body']): SettingChanges {
  return definedSettings({ refusesWeakPasswords: body.refuses_weak_passwords });
}

export function passkeyPolicy(config: ProjectConfig): Answer<typeof passkeyPolicySettings.read> {
  return { counts_as_both_factors: config.passkeyCountsAsBothFactors };
}

export function passkeyPolicyChanges(body: Input<typeof passkeyPolicySettings.update>['body']): SettingChanges {
  return { passkeyCountsAsBothFactors: body.counts_as_both_factors };
}

export function accountDeletion(config: ProjectConfig): Answer<typeof accountDeletionSettings.read> {
  return { cooling_off_days: config.deletionCoolingOffDays };
}

export function accountDeletionChanges(body: Input<typeof accountDeletionSettings.update>['body']): SettingChanges {
  return { deletionCoolingOffDays: body.cooling_off_days };
}

export function emailVerification(config: ProjectConfig): Answer<typeof emailVerificationSettings.read> {
  return { asks_for_code: config.asksForVerificationCode };
}

export function emailVerificationChanges(body: Input<typeof emailVerificationSettings.update>['body']): SettingChanges {
  return { asksForVerificationCode: body.asks_for_code };
}

export function sessionPolicy(config: ProjectConfig): Answer<typeof sessionPolicySettings.read> {
  return {
    lifetime_millis: config.sessionLifetimeMs ?? null,
    idle_lifetime_millis: config.sessionIdleLifetimeMs ?? null,
    fresh_sign_in_within_millis: config.freshSignInWithinMs ?? null,
    rotates_refresh_tokens: config.rotatesRefreshTokens,
  };
}

export function sessionPolicyChanges(body: Input<typeof sessionPolicySettings.update>['body']): SettingChanges {
  return definedSettings({
    sessionLifetimeMs: body.lifetime_millis,
    sessionIdleLifetimeMs: body.idle_lifetime_millis,
    freshSignInWithinMs: body.fresh_sign_in_within_millis,
    rotatesRefreshTokens: body.rotates_refresh_tokens,
  });
}

export function invitations(config: ProjectConfig): Answer<typeof invitationSettings.read> {
  return { bound_to_address: config.invitationsBoundToAddress };
}

export function invitationsChanges(body: Input<typeof invitationSettings.update>['body']): SettingChanges {
  return { invitationsBoundToAddress: body.bound_to_address };
}

export function teamRoles(config: ProjectConfig): Answer<typeof teamRoleSettings.read> {
  return { permission_ids: config.teamRoles ?? null };
}

export function teamRolesChanges(body: Input<typeof teamRoleSettings.update>['body']): SettingChanges {
  return definedSettings({ teamRoles: body.permission_ids });
}

export function limits({ limits: own }: ProjectConfig): Answer<typeof limitSettings.read> {
  return {
    failed_sign_ins_per_account: own.failedSignInsPerAccount ?? null,
    failed_sign_ins_per_address: own.failedSignInsPerAddress ?? null,
    mails_per_recipient: own.mailsPerRecipient ?? null,
    mails_per_address: own.mailsPerAddress ?? null,
    mails_per_project: own.mailsPerProject ?? null,
    sign_ups_per_address: own.signUpsPerAddress ?? null,
  };
}

/** All limits are stored as one setting. Limits missing from the body keep their values. */
export function limitsChanges(
  body: Input<typeof limitSettings.update>['body'],
  { limits: own }: ProjectConfig,
): SettingChanges {
  const changes = definedSettings({
    failedSignInsPerAccount: body.failed_sign_ins_per_account,
    failedSignInsPerAddress: body.failed_sign_ins_per_address,
    mailsPerRecipient: body.mails_per_recipient,
    mailsPerAddress: body.mails_per_address,
    mailsPerProject: body.mails_per_project,
    signUpsPerAddress: body.sign_ups_per_address,
  });
  return { limits: { ...own, ...changes } };
}

export function auditLog(config: ProjectConfig): Answer<typeof auditLogSettings.read> {
  return { retention_days: config.auditRetentionDays ?? null };
}

export function auditLogChanges(body: Input<typeof auditLogSettings.update>['body']): SettingChanges {
  return definedSettings({ auditRetentionDays: body.retention_days });
}

export function branding({ branding: own }: ProjectConfig): Answer<typeof brandingSettings.read> {
  return { logo_url: own.logoUrl ?? null, color: own.color ?? null, postal_address: own.postalAddress ?? null };
}

/** Stored as one setting, like the limits. */
export function brandingChanges(
  body: Input<typeof brandingSettings.update>['body'],
  { branding: own }: ProjectConfig,
): SettingChanges {
  const changes = definedSettings({ logoUrl: body.logo_url, color: body.color, postalAddress: body.postal_address });
  return { branding: { ...own, ...changes } };
}

export function signInNotices(config: ProjectConfig): Answer<typeof signInNoticeSettings.read> {
  return { enabled: config.signInNoticesEnabled };
}

export function signInNoticesChanges(body: Input<typeof signInNoticeSettings.update>['body']): SettingChanges {
  return { signInNoticesEnabled: body.enabled };
}

export function signUpRestrictions(config: ProjectConfig): Answer<typeof signUpRestrictionSettings.read> {
  return config.signUpRestrictions;
}

/** Stored as one setting, like the limits. */
export function signUpRestrictionsChanges(
  body: Input<typeof signUpRestrictionSettings.update>['body'],
  { signUpRestrictions: own }: ProjectConfig,
): SettingChanges {
  const { allowed = own.allowed, blocked = own.blocked } = body;
  return { signUpRestrictions: { allowed: normalizeEntries(allowed), blocked: normalizeEntries(blocked) } };
}

/** The schema has refused every other entry. Equal ones become one. */
function normalizeEntries(entries: readonly string[]): string[] {
  return [...new Set(entries.flatMap(entry => normalizeSignUpEntry(entry) ?? []))];
}

/** The fields of the body. null becomes undefined, which resets a setting to the installation's default. */
function definedSettings<T extends object>(settings: T): { [Key in keyof T]?: Exclude<T[Key], null> } {
  const named = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? undefined])) as {
    [Key in keyof T]?: Exclude<T[Key], null>;
  };
}
