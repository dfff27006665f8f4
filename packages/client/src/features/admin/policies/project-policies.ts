import type { Reply, Routes } from '@tessera/protocol';
import type { SignUpRestrictions } from '@tessera/protocol/sign-up-restrictions';
import type { Context } from '../../../app/context.ts';
import { type Kind, type Read, type Reads, readOf } from '../../../cache/resource.ts';
import type { Optional } from '../../../util/optional.ts';
import type {
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
} from './objects.ts';

/** A group of settings with its endpoints. */
interface Group<Fields> {
  readonly load: () => Promise<Fields>;
  readonly save: (changes: Optional<Fields>) => Promise<unknown>;
}

export function projectPolicies(context: Context<'admin'>): {
  reads: Reads<ProjectPolicyReads>;
  methods: ProjectPolicyMethods;
} {
  const signIn = signInPolicies(context);
  const project = projectSettings(context);
  return {
    reads: {
      getAnonymousUserSettings: signIn.anonymousUsers.read,
      getPasswordPolicy: signIn.passwords.read,
      getPasskeyPolicy: signIn.passkeys.read,
      getEmailVerificationSettings: signIn.verification.read,
      getSignUpRestrictions: signIn.signUp.read,
      getSessionPolicy: signIn.sessions.read,
      getAccountDeletionSettings: project.deletion.read,
      getSignInNoticeSettings: signIn.notices.read,
      getInvitationSettings: project.invitations.read,
      getTeamRoleSettings: project.teamRoles.read,
      getLimits: project.limits.read,
      getBranding: project.branding.read,
      getAuditLogSettings: project.auditLog.read,
    },
    methods: {
      updateAnonymousUserSettings: signIn.anonymousUsers.update,
      updatePasswordPolicy: signIn.passwords.update,
      updatePasskeyPolicy: signIn.passkeys.update,
      updateEmailVerificationSettings: signIn.verification.update,
      updateSignUpRestrictions: signIn.signUp.update,
      updateSessionPolicy: signIn.sessions.update,
      updateAccountDeletionSettings: project.deletion.update,
      updateSignInNoticeSettings: signIn.notices.update,
      updateInvitationSettings: project.invitations.update,
      updateTeamRoleSettings: project.teamRoles.update,
      updateLimits: project.limits.update,
      updateBranding: project.branding.update,
      updateAuditLogSettings: project.auditLog.update,
    },
  };
}

const session = null;

/** A read, and an update that renews it. */
function policy<Fields>({ resources }: Context<'admin'>, kind: Kind, { load, save }: Group<Fields>) {
  const current = resources.make(kind, () => ({ load }));
  const read: Read<[], Fields> = readOf(() => current.entry());
  const update = async (changes: Optional<Fields>): Promise<void> => {
    await save(changes);
    await resources.renew(kind);
  };
  return { read, update };
}

function signInPolicies(context: Context<'admin'>) {
  const { call } = context;
  const anonymousUsers = policy<AnonymousUserSettings>(context, 'anonymousUserSettings', {
    load: async () => Object.freeze(await call('GET /internal/extensions/anonymous-users', { session })),
    save: ({ enabled }) =>
      patchIfGiven(enabled, value =>
        call('PATCH /internal/extensions/anonymous-users', { body: { enabled: value }, session }),
      ),
  });
  const passwords = policy<PasswordPolicy>(context, 'passwordPolicy', {
    load: async () => {
      const wire = await call('GET /internal/extensions/password-policy', { session });
      return Object.freeze({ refusesWeakPasswords: wire.refuses_weak_passwords });
    },
    save: ({ refusesWeakPasswords }) =>
      patchIfGiven(refusesWeakPasswords, value =>
        call('PATCH /internal/extensions/password-policy', { body: { refuses_weak_passwords: value }, session }),
      ),
  });
  const passkeys = policy<PasskeyPolicy>(context, 'passkeyPolicy', {
    load: async () => {
      const wire = await call('GET /internal/extensions/passkey-policy', { session });
      return Object.freeze({ countsAsBothFactors: wire.counts_as_both_factors });
    },
    save: ({ countsAsBothFactors }) =>
      patchIfGiven(countsAsBothFactors, value =>
        call('PATCH /internal/extensions/passkey-policy', { body: { counts_as_both_factors: value }, session }),
      ),
  });
  const verification = policy<EmailVerificationSettings>(context, 'emailVerificationSettings', {
    load: async () => {
      const wire = await call('GET /internal/extensions/email-verification', { session });
      return Object.freeze({ asksForCode: wire.asks_for_code });
    },
    save: ({ asksForCode }) =>
      patchIfGiven(asksForCode, value =>
        call('PATCH /internal/extensions/email-verification', { body: { asks_for_code: value }, session }),
      ),
  });
  const notices = policy<SignInNoticeSettings>(context, 'signInNoticeSettings', {
    load: async () => Object.freeze(await call('GET /internal/extensions/sign-in-notices', { session })),
    save: ({ enabled }) =>
      patchIfGiven(enabled, value =>
        call('PATCH /internal/extensions/sign-in-notices', { body: { enabled: value }, session }),
      ),
  });
  const signUp = policy<SignUpRestrictions>(context, 'signUpRestrictions', {
    load: async () => Object.freeze(await call('GET /internal/extensions/sign-up-restrictions', { session })),
    save: ({ allowed, blocked }) => {
      const body = { allowed: allowed && [...allowed], blocked: blocked && [...blocked] };
      return call('PATCH /internal/extensions/sign-up-restrictions', { body, session });
    },
  });
  const sessions = policy<SessionPolicy>(context, 'sessionPolicy', {
    load: async () => sessionPolicyFromWire(await call('GET /internal/extensions/session-policy', { session })),
    save: changes => call('PATCH /internal/extensions/session-policy', { body: sessionPolicyToWire(changes), session }),
  });
  return { anonymousUsers, passwords, passkeys, verification, notices, signUp, sessions };
}

function projectSettings(context: Context<'admin'>) {
  const { call } = context;
  const invitations = policy<InvitationSettings>(context, 'invitationSettings', {
    load: async () => {
      const wire = await call('GET /internal/extensions/invitations', { session });
      return Object.freeze({ boundToAddress: wire.bound_to_address });
    },
    save: ({ boundToAddress }) =>
      patchIfGiven(boundToAddress, value =>
        call('PATCH /internal/extensions/invitations', { body: { bound_to_address: value }, session }),
      ),
  });
  const teamRoles = policy<TeamRoleSettings>(context, 'teamRoleSettings', {
    load: async () => {
      const wire = await call('GET /internal/extensions/team-roles', { session });
      return Object.freeze({ permissionIds: wire.permission_ids });
    },
    save: ({ permissionIds }) =>
      patchIfGiven(permissionIds, value =>
        call('PATCH /internal/extensions/team-roles', { body: { permission_ids: value && [...value] }, session }),
      ),
  });
  const limits = policy<ProjectLimits>(context, 'limits', {
    load: async () => limitsFromWire(await call('GET /internal/extensions/limits', { session })),
    save: changes => call('PATCH /internal/extensions/limits', { body: limitsToWire(changes), session }),
  });
  const auditLog = policy<AuditLogSettings>(context, 'auditLogSettings', {
    load: async () => {
      const wire = await call('GET /internal/extensions/audit-log-settings', { session });
      return Object.freeze({ retentionDays: wire.retention_days });
    },
    save: ({ retentionDays }) =>
      patchIfGiven(retentionDays, value =>
        call('PATCH /internal/extensions/audit-log-settings', { body: { retention_days: value }, session }),
      ),
  });
  const deletion = policy<AccountDeletionSettings>(context, 'accountDeletionSettings', {
    load: async () => {
      const wire = await call('GET /internal/extensions/account-deletion', { session });
      return Object.freeze({ coolingOffDays: wire.cooling_off_days });
    },
    save: ({ coolingOffDays }) =>
      patchIfGiven(coolingOffDays, value =>
        call('PATCH /internal/extensions/account-deletion', { body: { cooling_off_days: value }, session }),
      ),
  });
  const branding = policy<Branding>(context, 'branding', {
    load: async () => {
      const { logo_url, color, postal_address } = await call('GET /internal/extensions/branding', { session });
      return Object.freeze({ logoUrl: logo_url, color, postalAddress: postal_address });
    },
    save: ({ logoUrl, color, postalAddress }) => {
      const body = { logo_url: logoUrl, color, postal_address: postalAddress };
      return call('PATCH /internal/extensions/branding', { body, session });
    },
  });
  return { invitations, teamRoles, limits, auditLog, deletion, branding };
}

/** The endpoints of a single setting require its value, so an update without it sends nothing. */
async function patchIfGiven<Value>(value: Value | undefined, patch: (value: Value) => Promise<unknown>): Promise<void> {
  if (value !== undefined) await patch(value);
}

function sessionPolicyFromWire(wire: Reply<Routes['GET /internal/extensions/session-policy'], 'admin'>): SessionPolicy {
  return Object.freeze({
    lifetimeMillis: wire.lifetime_millis,
    idleLifetimeMillis: wire.idle_lifetime_millis,
    freshSignInWithinMillis: wire.fresh_sign_in_within_millis,
    rotatesRefreshTokens: wire.rotates_refresh_tokens,
  });
}

function sessionPolicyToWire(changes: Optional<SessionPolicy>) {
  return {
    lifetime_millis: changes.lifetimeMillis,
    idle_lifetime_millis: changes.idleLifetimeMillis,
    fresh_sign_in_within_millis: changes.freshSignInWithinMillis,
    rotates_refresh_tokens: changes.rotatesRefreshTokens,
  };
}

function limitsFromWire(wire: Reply<Routes['GET /internal/extensions/limits'], 'admin'>): ProjectLimits {
  return Object.freeze({
    failedSignInsPerAccount: wire.failed_sign_ins_per_account,
    failedSignInsPerAddress: wire.failed_sign_ins_per_address,
    emailsPerRecipient: wire.mails_per_recipient,
    emailsPerAddress: wire.mails_per_address,
    emailsPerProject: wire.mails_per_project,
    signUpsPerAddress: wire.sign_ups_per_address,
  });
}

function limitsToWire(changes: Optional<ProjectLimits>) {
  return {
    failed_sign_ins_per_account: changes.failedSignInsPerAccount,
    failed_sign_ins_per_address: changes.failedSignInsPerAddress,
    mails_per_recipient: changes.emailsPerRecipient,
    mails_per_address: changes.emailsPerAddress,
    mails_per_project: changes.emailsPerProject,
    sign_ups_per_address: changes.signUpsPerAddress,
  };
}
