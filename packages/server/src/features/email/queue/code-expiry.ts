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
