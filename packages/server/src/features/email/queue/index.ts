import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { addJob } from '../../../platform/queue/jobs.ts';
import { insertMail } from './store.ts';

/** Notices of the installation's own about changes of an account, not templates of the project (control 68). */
export interface NoticeVariables {
  password_added: Record<never, never>;
  password_changed: Record<never, never>;
  password_removed: Record<never, never>;
  passkey_added: Record<never, never>;
  passkeys_removed: Record<never, never>;
  totp_switched_on: Record<never, never>;
  totp_switched_off: Record<never, never>;
  sign_in_address_added: { changedAddress: string };
  sign_in_address_removed: { changedAddress: string };
  primary_email_changed: { changedAddress: string };
  provider_linked: { providerName: string };
}

export type Notice = keyof NoticeVariables;

/**
 * What each template is filled with, beside what the project itself says (docs/contract/sign-in-methods.md#code-kinds).
 */
export interface TemplateVariables extends NoticeVariables {
  email_verification: { emailVerificationLink: string; userDisplayName?: string };
  password_reset: { passwordResetLink: string; userDisplayName?: string };
  /** `linkOnly`: the code has no place to be typed in, so the built-in body leaves it out. */
  magic_link: { magicLink: string; otp: string; linkOnly?: 'yes' };
  /** A notice of the installation's own, not a template of the project. */
  api_key_leaked: { description: string; lastFour: string; projectDisplayName: string };
  team_invitation: { teamInvitationLink: string; teamDisplayName: string };
  sign_in_invitation: { signInInvitationLink: string };
  /** To the owners of a project, from the installation. */
  failed_emails_digest: {
    ofProject: string;
    /** In words: `one mail`, `12 mails`. */
    failedCount: string;
    failures: string;
    dashboardLink: string;
  };
  /** The same. */
  webhook_endpoint_disabled: { ofProject: string; endpointUrl: string };
}

export type Template = keyof TemplateVariables;

export interface Letter<T extends Template> {
  readonly projectId: string;
  readonly template: T;
  readonly recipient: string;
  /** Whom it is for, where that is a user: the letter is posted while there is one, and goes with them. */
  readonly userId?: string | undefined;
  readonly variables: TemplateVariables[T];
  /** Waits in the queue while the mail quota of the project is used up; default false. */
  readonly countsInQuota?: boolean;
}

export interface Mail {
  /** Puts a letter into the post inside the caller's transaction: it goes out if and only if that commits. */
  send<T extends Template>(tx: Transaction, letter: Letter<T>): Promise<void>;
}

export const mailVariablesPurpose = 'mail variables';

/** Name of the jobs that deliver. */
export const mailTask = 'mail';

export function createMail(deps: { secrets: Secrets; clock: Clock }): Mail {
  return {
    async send(tx, { projectId, template, recipient, userId = null, variables, countsInQuota = false }) {
      const id = randomUUID();
      const sealed = deps.secrets.encrypt(mailVariablesPurpose, JSON.stringify(variables));
      await insertMail(tx, {
        projectId,
        id,
        template,
        recipient,
        userId,
        variables: sealed,
        createdAtMillis: deps.clock.now(),
        countsInQuota,
      });
      await addJob(tx, mailTask, { projectId, id });
    },
  };
}
