import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Transaction } from '../db.ts';
import { addJob } from '../jobs.ts';
import type { Secrets } from '../secrets.ts';
import { insertMail } from './store.ts';

/** What each template is filled with, beside what the project itself says (sign-in-methods.md 2.3). */
export interface TemplateVariables {
  email_verification: { emailVerificationLink: string; userDisplayName?: string };
  password_reset: { passwordResetLink: string; userDisplayName?: string };
  magic_link: { magicLink: string; otp: string };
  /** A notice of the installation's own, not a template of the project. */
  api_key_leaked: { description: string; lastFour: string; projectDisplayName: string };
  team_invitation: { teamInvitationLink: string; teamDisplayName: string };
  sign_in_invitation: { signInInvitationLink: string };
}

export type Template = keyof TemplateVariables;

export interface Letter<T extends Template> {
  readonly projectId: string;
  readonly template: T;
  readonly recipient: string;
  readonly variables: TemplateVariables[T];
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
    async send(tx, { projectId, template, recipient, variables }) {
      const id = randomUUID();
      const sealed = deps.secrets.encrypt(mailVariablesPurpose, JSON.stringify(variables));
      await insertMail(tx, {
        projectId,
        id,
        template,
        recipient,
        variables: sealed,
        createdAtMillis: deps.clock.now(),
      });
      await addJob(tx, mailTask, { projectId, id });
    },
  };
}
