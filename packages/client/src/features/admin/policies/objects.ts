import type { SignUpRestrictions } from '@tessera/protocol/sign-up-restrictions';
import type { Optional } from '../../../util/optional.ts';

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

/** How the address of a new account is verified. */
export interface EmailVerificationSettings {
  /** Whether the email after a sign-up with a password has a code for the page that it was made on. */
  readonly asksForCode: boolean;
}

/** Emails about sign-ins from new devices. */
export interface SignInNoticeSettings {
  /** Whether users get an email at their verified primary address. */
  readonly enabled: boolean;
}

/** When an account that its user has deleted is gone. */
export interface AccountDeletionSettings {
  /** Days in which the user can keep it, at most 30. Default 0: it is deleted at once. */
  readonly coolingOffDays: number;
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

/** How the emails and the sign-in pages of the project look. Null: the default. */
export interface Branding {
  /** URL of the logo. An update also accepts a data URL of a PNG, JPEG, GIF or WebP file, which the server stores. */
  readonly logoUrl: string | null;
  /** Colour of buttons in emails, as `#RRGGBB`. */
  readonly color: string | null;
  /** Address of the sender in the footer of emails. */
  readonly postalAddress: string | null;
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
  /** How the address of a new account is verified. */
  getEmailVerificationSettings(): Promise<EmailVerificationSettings>;
  /** With which email addresses people can sign up. */
  getSignUpRestrictions(): Promise<SignUpRestrictions>;
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
  /** When an account that its user has deleted is gone. */
  getAccountDeletionSettings(): Promise<AccountDeletionSettings>;
  /** How the emails and the sign-in pages of the project look. */
  getBranding(): Promise<Branding>;
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
  updateAnonymousUserSettings(changes: Optional<AnonymousUserSettings>): Promise<void>;
  /**
   * Changes which new passwords are refused.
   *
   * @example
   * await app.updatePasswordPolicy({ refusesWeakPasswords: true });
   */
  updatePasswordPolicy(changes: Optional<PasswordPolicy>): Promise<void>;
  /**
   * Changes what a passkey proves.
   *
   * @example
   * await app.updatePasskeyPolicy({ countsAsBothFactors: true });
   */
  updatePasskeyPolicy(changes: Optional<PasskeyPolicy>): Promise<void>;
  /**
   * Changes how the address of a new account is verified.
   *
   * @example
   * await app.updateEmailVerificationSettings({ asksForCode: true });
   */
  updateEmailVerificationSettings(changes: Optional<EmailVerificationSettings>): Promise<void>;
  /**
   * Changes with which email addresses people can sign up. Users who exist already keep signing in.
   *
   * @example
   * await app.updateSignUpRestrictions({ allowed: ['example.com', '*.example.com'] });
   */
  updateSignUpRestrictions(changes: Optional<SignUpRestrictions>): Promise<void>;
  /**
   * Changes how long sessions live.
   *
   * @example
   * await app.updateSessionPolicy({ idleLifetimeMillis: 7 * 24 * 60 * 60 * 1000, rotatesRefreshTokens: true });
   */
  updateSessionPolicy(changes: Optional<SessionPolicy>): Promise<void>;
  /**
   * Changes when an account that its user has deleted is gone.
   *
   * @example
   * await app.updateAccountDeletionSettings({ coolingOffDays: 14 });
   */
  updateAccountDeletionSettings(changes: Optional<AccountDeletionSettings>): Promise<void>;
  /**
   * Switches the emails about sign-ins from new devices on or off.
   *
   * @example
   * await app.updateSignInNoticeSettings({ enabled: true });
   */
  updateSignInNoticeSettings(changes: Optional<SignInNoticeSettings>): Promise<void>;
  /**
   * Changes who can accept a team invitation.
   *
   * @example
   * await app.updateInvitationSettings({ boundToAddress: true });
   */
  updateInvitationSettings(changes: Optional<InvitationSettings>): Promise<void>;
  /**
   * Changes which team permissions are roles.
   *
   * @example
   * await app.updateTeamRoleSettings({ permissionIds: ['team_admin', 'editor', 'team_member'] });
   */
  updateTeamRoleSettings(changes: Optional<TeamRoleSettings>): Promise<void>;
  /**
   * Changes the limits of the project.
   *
   * @example
   * await app.updateLimits({ signUpsPerAddress: 5, emailsPerProject: null });
   */
  updateLimits(changes: Optional<ProjectLimits>): Promise<void>;
  /**
   * Changes how the emails and the sign-in pages of the project look.
   *
   * @example
   * await app.updateBranding({ logoUrl: 'https://cdn.example.com/logo.png' });
   */
  updateBranding(changes: Optional<Branding>): Promise<void>;
  /**
   * Changes how long the audit log is kept.
   *
   * @example
   * await app.updateAuditLogSettings({ retentionDays: 90 });
   */
  updateAuditLogSettings(changes: Optional<AuditLogSettings>): Promise<void>;
}
