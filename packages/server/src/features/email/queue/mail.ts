import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { addJob } from '../../../platform/queue/add-job.ts';
import { insertMail } from './store.ts';

/** The request that caused a notice, as far as it states its origin. */
export interface NoticeOrigin {
  readonly userAgent?: string;
  /** Two letters. */
  readonly countryCode?: string;
}

/** Account notices: emails of the installation about changes of an account, not templates of the project (control 68). */
export interface AccountNoticeVariables {
  new_device_sign_in: Record<never, never>;
  account_deletion_scheduled: { deletesAt: string };
  account_deletion_canceled: Record<never, never>;
  account_deleted: Record<never, never>;
  password_added: Record<never, never>;
  password_changed: Record<never, never>;
  password_removed: Record<never, never>;
  passkey_added: Record<never, never>;
  passkey_removed: Record<never, never>;
  passkeys_removed: Record<never, never>;
  totp_switched_on: Record<never, never>;
  totp_switched_off: Record<never, never>;
  email_code_switched_off: Record<never, never>;
  recovery_codes_created: Record<never, never>;
  recovery_code_used: { remainingCount: string };
  sign_in_address_added: { changedAddress: string };
  sign_in_address_removed: { changedAddress: string };
  primary_email_changed: { changedAddress: string };
  primary_email_removed: { changedAddress: string };
  provider_linked: { providerName: string };
  provider_unlinked: { providerName: string };
}

export type AccountNoticeTemplate = keyof AccountNoticeVariables;

/**
 * The variables of each template, in addition to those of the project (docs/contract/sign-in-methods.md#code-kinds).
 */
export interface TemplateVariables extends AccountNoticeVariables {
  /** `otp`: the project asks for a code to type, too. */
  email_verification: { emailVerificationLink: string; userDisplayName?: string; otp?: string };
  password_reset: { passwordResetLink: string; userDisplayName?: string };
  /** `linkOnly`: the page has no field for the code, so the built-in body leaves it out. */
  magic_link: { magicLink: string; otp: string; linkOnly?: 'yes' };
  /** Sent by the installation; not a template of the project. */
  reauthentication_code: { otp: string };
  /** Sent by the installation; not a template of the project. */
  api_key_leaked: { description: string; lastFour: string; projectDisplayName: string };
  /** `inviterDisplayName`: the name of the member who invites, when there is one. `recipientAddress`: where it goes. */
  team_invitation: {
    teamInvitationLink: string;
    teamDisplayName: string;
    inviterDisplayName?: string;
    recipientAddress?: string;
  };
  sign_in_invitation: { signInInvitationLink: string };
  /** Sent by the installation: an invitation to manage a project. */
  project_invitation: { ofProject: string; inviterName: string; asRole: string; projectInvitationLink: string };
  /** Sent by the installation to both people of a transfer. */
  project_transferred: { ofProject: string; oldOwner: string; newOwner: string };
  /** Sent by the installation to the owners of a project. */
  failed_emails_digest: {
    ofProject: string;
    /** `one email`, `12 emails`. */
    failedCount: string;
    failures: string;
    dashboardLink: string;
  };
  /** Sent by the installation to the owners of a project. */
  webhook_endpoint_disabled: { ofProject: string; endpointUrl: string };
}

export type Template = keyof TemplateVariables;

interface OutgoingEmail<T extends Template> {
  readonly projectId: string;
  readonly template: T;
  readonly recipient: string;
  /** The receiving user, if any. The email is queued only while the user exists and is deleted with the user. */
  readonly userId?: string | undefined;
  readonly variables: TemplateVariables[T] & NoticeOrigin;
  /** Waits in the queue while the mail quota of the project is used up; default false. */
  readonly countsInQuota?: boolean;
}

export interface Mail {
  /** Adds an email to the queue in the caller's transaction: it is sent if and only if the transaction commits. */
  send<T extends Template>(tx: Transaction, email: OutgoingEmail<T>): Promise<void>;
}

export const mailVariablesPurpose = 'mail variables';

/** Name of the jobs that deliver emails. */
export const mailTask = 'mail';

/** Sign-in codes and links are sent before copies that wait, also for another attempt. */
export function mailPriority({ bodyId }: { readonly bodyId: string | null }): number {
  return bodyId === null ? 0 : 10;
}

export function createMail(deps: { secrets: Secrets; clock: Clock }): Mail {
  return {
    async send(tx, { projectId, template, recipient, userId = null, variables, countsInQuota = false }) {
      const id = randomUUID();
      const encrypted = deps.secrets.encrypt(mailVariablesPurpose, JSON.stringify(variables));
      await insertMail(tx, {
        projectId,
        id,
        template,
        recipient,
        userId,
        variables: encrypted,
        createdAtMillis: deps.clock.now(),
        countsInQuota,
      });
      await addJob(tx, mailTask, { projectId, id }, { flags: [projectId] });
    },
  };
}
