import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Kind, type Read, type Reads, readOf } from '../../cache/resource.ts';

/** Whether apps of the project can create anonymous users. */
export interface AnonymousUserSettings {
  /** Default false. */
  readonly enabled: boolean;
}

/** Which new passwords the project refuses. */
export interface PasswordPolicy {
  /** Whether common and contextual passwords are refused. Null: in production mode only. */
  readonly refusesWeakPasswords: boolean | null;
}

/** What a passkey of the project proves. */
export interface PasskeyPolicy {
  /** Whether a passkey that verified its user signs in without the code of an authenticator app. */
  readonly countsAsBothFactors: boolean;
}

/** Emails about sign-ins from new devices. */
export interface SignInNoticeSettings {
  /** Whether users get an email at their verified primary address. */
  readonly enabled: boolean;
}

/** How long the sessions of the project live. */
export interface SessionPolicy {
  /** Lifetime of a session. Null: the default of the installation. */
  readonly lifetimeMillis: number | null;
  /** A session that was not used for this time ends. Null: the default of the installation. */
  readonly idleLifetimeMillis: number | null;
  /** Sensitive changes require a sign-in that is no older. Null: they require none. */
  readonly freshSignInWithinMillis: number | null;
  /** Whether each refresh replaces the refresh token. The reuse of a replaced token ends the session. */
  readonly rotatesRefreshTokens: boolean;
}

/** Who can accept a team invitation. */
export interface InvitationSettings {
  /** Whether only a user with the invited address as a verified contact channel can accept. */
  readonly boundToAddress: boolean;
}

/** Which team permissions are roles. */
export interface TeamRoleSettings {
  /** The highest first. Null: `team_admin` and `team_member`. Empty: there are no roles. */
  readonly permissionIds: readonly string[] | null;
}

/** The limits of the project. Null: the default of the installation. */
export interface ProjectLimits {
  /** Failed sign-ins for each account, within 15 minutes. */
  readonly failedSignInsPerAccount: number | null;
  /** Failed sign-ins from each address block, within 15 minutes. */
  readonly failedSignInsPerAddress: number | null;
  /** Emails to each recipient, within an hour. */
  readonly emailsPerRecipient: number | null;
  /** Emails that an address block causes, within an hour. */
  readonly emailsPerAddress: number | null;
  /** Emails of the project, within an hour. */
  readonly emailsPerProject: number | null;
  /** Sign-ups from each address block, within an hour. */
  readonly signUpsPerAddress: number | null;
}

/** How long the audit log is kept. */
export interface AuditLogSettings {
  /** Days until an event is deleted. Null: the default of the installation. */
  readonly retentionDays: number | null;
}

/** Reads of an admin app about the policies of its project. */
export interface ProjectPolicyReads {
  /** Whether apps of the project can create anonymous users. */
  getAnonymousUserSettings(): Promise<AnonymousUserSettings>;
  /** Which new passwords the project refuses. */
  getPasswordPolicy(): Promise<PasswordPolicy>;
  /** What a passkey of the project proves. */
  getPasskeyPolicy(): Promise<PasskeyPolicy>;
  /** How long the sessions of the project live. */
  getSessionPolicy(): Promise<SessionPolicy>;
  /** Whether users get an email about a sign-in from a new device. */
  getSignInNoticeSettings(): Promise<SignInNoticeSettings>;
  /** Who can accept a team invitation. */
  getInvitationSettings(): Promise<InvitationSettings>;
  /** Which team permissions are roles. */
  getTeamRoleSettings(): Promise<TeamRoleSettings>;
  /** The limits of the project. */
  getLimits(): Promise<ProjectLimits>;
  /** How long the audit log is kept. */
  getAuditLogSettings(): Promise<AuditLogSettings>;
}

/** Changes of the policies of a project. A member that is left out keeps its value; null restores the default. */
export interface ProjectPolicyMethods {
  /**
   * Allows or refuses anonymous users.
   *
   * @example
   * await app.updateAnonymousUserSettings({ enabled: true });
   */
  updateAnonymousUserSettings(changes: Partial<AnonymousUserSettings>): Promise<void>;
  /**
   * Changes which new passwords are refused.
   *
   * @example
   * await app.updatePasswordPolicy({ refusesWeakPasswords: true });
   */
  updatePasswordPolicy(changes: Partial<PasswordPolicy>): Promise<void>;
  /**
   * Changes what a passkey proves.
   *
   * @example
   * await app.updatePasskeyPolicy({ countsAsBothFactors: true });
   */
  updatePasskeyPolicy(changes: Partial<PasskeyPolicy>): Promise<void>;
  /**
   * Changes how long sessions live.
   *
   * @example
   * await app.updateSessionPolicy({ idleLifetimeMillis: 7 * 24 * 60 * 60 * 1000, rotatesRefreshTokens: true });
   */
  updateSessionPolicy(changes: Partial<SessionPolicy>): Promise<void>;
  /**
   * Switches the emails about sign-ins from new devices on or off.
   *
   * @example
   * await app.updateSignInNoticeSettings({ enabled: true });
   */
  updateSignInNoticeSettings(changes: Partial<SignInNoticeSettings>): Promise<void>;
  /**
   * Changes who can accept a team invitation.
   *
   * @example
   * await app.updateInvitationSettings({ boundToAddress: true });
   */
  updateInvitationSettings(changes: Partial<InvitationSettings>): Promise<void>;
  /**
   * Changes which team permissions are roles.
   *
   * @example
   * await app.updateTeamRoleSettings({ permissionIds: ['team_admin', 'editor', 'team_member'] });
   */
  updateTeamRoleSettings(changes: Partial<TeamRoleSettings>): Promise<void>;
  /**
   * Changes the limits of the project.
   *
   * @example
   * await app.updateLimits({ signUpsPerAddress: 5, emailsPerProject: null });
   */
  updateLimits(changes: Partial<ProjectLimits>): Promise<void>;
  /**
   * Changes how long the audit log is kept.
   *
   * @example
   * await app.updateAuditLogSettings({ retentionDays: 90 });
   */
  updateAuditLogSettings(changes: Partial<AuditLogSettings>): Promise<void>;
}

/** A group of settings with its endpoints. */
interface Group<Fields> {
  readonly load: () => Promise<Fields>;
  readonly save: (changes: Partial<Fields>) => Promise<unknown>;
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
      getSessionPolicy: signIn.sessions.read,
      getSignInNoticeSettings: signIn.notices.read,
      getInvitationSettings: project.invitations.read,
      getTeamRoleSettings: project.teamRoles.read,
      getLimits: project.limits.read,
      getAuditLogSettings: project.auditLog.read,
    },
    methods: {
      updateAnonymousUserSettings: signIn.anonymousUsers.update,
      updatePasswordPolicy: signIn.passwords.update,
      updatePasskeyPolicy: signIn.passkeys.update,
      updateSessionPolicy: signIn.sessions.update,
      updateSignInNoticeSettings: signIn.notices.update,
      updateInvitationSettings: project.invitations.update,
      updateTeamRoleSettings: project.teamRoles.update,
      updateLimits: project.limits.update,
      updateAuditLogSettings: project.auditLog.update,
    },
  };
}

const session = null;

/** A read, and an update that renews it. */
function policy<Fields>({ resources }: Context<'admin'>, kind: Kind, { load, save }: Group<Fields>) {
  const current = resources.make(kind, () => ({ load }));
  const read: Read<[], Fields> = readOf(() => current.entry());
  const update = async (changes: Partial<Fields>): Promise<void> => {
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
  const notices = policy<SignInNoticeSettings>(context, 'signInNoticeSettings', {
    load: async () => Object.freeze(await call('GET /internal/extensions/sign-in-notices', { session })),
    save: ({ enabled }) =>
      patchIfGiven(enabled, value =>
        call('PATCH /internal/extensions/sign-in-notices', { body: { enabled: value }, session }),
      ),
  });
  const sessions = policy<SessionPolicy>(context, 'sessionPolicy', {
    load: async () => sessionPolicyFromWire(await call('GET /internal/extensions/session-policy', { session })),
    save: changes => call('PATCH /internal/extensions/session-policy', { body: sessionPolicyToWire(changes), session }),
  });
  return { anonymousUsers, passwords, passkeys, notices, sessions };
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
  return { invitations, teamRoles, limits, auditLog };
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

function sessionPolicyToWire(changes: Partial<SessionPolicy>) {
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

function limitsToWire(changes: Partial<ProjectLimits>) {
  return {
    failed_sign_ins_per_account: changes.failedSignInsPerAccount,
    failed_sign_ins_per_address: changes.failedSignInsPerAddress,
    mails_per_recipient: changes.emailsPerRecipient,
    mails_per_address: changes.emailsPerAddress,
    mails_per_project: changes.emailsPerProject,
    sign_ups_per_address: changes.signUpsPerAddress,
  };
}
