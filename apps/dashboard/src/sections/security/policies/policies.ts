import type { OwnedProject } from '../../../data/owner.tsx';

type App = OwnedProject['app'];

/** A group of settings, with its read and its change. */
export interface Policy<Fields extends object> {
  /** Of the cache key. */
  readonly name: string;
  readonly read: (app: App) => Promise<Fields>;
  readonly write: (app: App, changes: Partial<Fields>) => Promise<void>;
}

function policy<Fields extends object>(group: Policy<Fields>): Policy<Fields> {
  return group;
}

/** The settings of this section. */
export const policies = {
  passwords: policy({
    name: 'passwords',
    read: app => app.getPasswordPolicy(),
    write: (app, changes) => app.updatePasswordPolicy(changes),
  }),
  passkeys: policy({
    name: 'passkeys',
    read: app => app.getPasskeyPolicy(),
    write: (app, changes) => app.updatePasskeyPolicy(changes),
  }),
  verification: policy({
    name: 'verification',
    read: app => app.getEmailVerificationSettings(),
    write: (app, changes) => app.updateEmailVerificationSettings(changes),
  }),
  sessions: policy({
    name: 'sessions',
    read: app => app.getSessionPolicy(),
    write: (app, changes) => app.updateSessionPolicy(changes),
  }),
  deletion: policy({
    name: 'deletion',
    read: app => app.getAccountDeletionSettings(),
    write: (app, changes) => app.updateAccountDeletionSettings(changes),
  }),
  notices: policy({
    name: 'notices',
    read: app => app.getSignInNoticeSettings(),
    write: (app, changes) => app.updateSignInNoticeSettings(changes),
  }),
  invitations: policy({
    name: 'invitations',
    read: app => app.getInvitationSettings(),
    write: (app, changes) => app.updateInvitationSettings(changes),
  }),
  limits: policy({
    name: 'limits',
    read: app => app.getLimits(),
    write: (app, changes) => app.updateLimits(changes),
  }),
  retention: policy({
    name: 'retention',
    read: app => app.getAuditLogSettings(),
    write: (app, changes) => app.updateAuditLogSettings(changes),
  }),
};
