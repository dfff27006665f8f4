import {
  emailVerificationLifetimeMs,
  invitationLifetimeMs,
  passwordResetLifetimeMs,
  signInCodeLifetimeMs,
} from '@tessera/protocol';
import type { Template } from './mail.ts';
import type { MailRow } from './store.ts';

/** Lifetimes of the codes in emails. */
const codeLifetimesMs: ReadonlyMap<string, number> = new Map<Template, number>([
  ['magic_link', signInCodeLifetimeMs],
  ['reauthentication_code', signInCodeLifetimeMs],
  ['password_reset', passwordResetLifetimeMs],
  ['email_verification', emailVerificationLifetimeMs],
  ['team_invitation', invitationLifetimeMs],
  ['project_invitation', invitationLifetimeMs],
]);

/** When the code in an email expires; infinite for an email without a code. */
export function codeExpiresAtMillis({
  template,
  createdAtMillis,
}: Pick<MailRow, 'template' | 'createdAtMillis'>): number {
  return createdAtMillis + (codeLifetimesMs.get(template) ?? Number.POSITIVE_INFINITY);
}

/** Whether an email of a template carries a code, which must not be sent twice. */
export function hasCode(template: string): boolean {
  return codeLifetimesMs.has(template);
}

/** A copy of a message to users is not kept: it is rendered again from the message. */
export function isKeptAfterFailure({ template, messageId }: Pick<MailRow, 'template' | 'messageId'>): boolean {
  return !hasCode(template) && messageId === null;
}
