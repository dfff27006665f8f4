/** The typed code in upper case, and a whole code. Runs of the same characters in other words are hidden too. */
const codes = /[0-9A-HJKMNP-TV-Z]{6,}|[0-9a-hjkmnp-tv-z]{45,}/g;

/** A subject with its codes replaced by dots. */
export function withoutCodes(subject: string): string {
  return subject.replaceAll(codes, '••••••');
}

/** Whether an email of the log can be sent again, and if not, why. */
export type Resending = 'possible' | 'waiting' | 'accepted' | 'has_code' | 'canceled' | 'not_kept';

interface LoggedAttempt {
  readonly error: unknown;
  /** The email carries a code. */
  readonly hasCode: boolean;
  readonly messageId: string | null;
}

interface WhatIsLeft {
  /** The email in the queue, waiting or kept after its failure. */
  readonly mail: { readonly isWaiting: boolean } | undefined;
  /** Of a copy of a message whose user exists. */
  readonly copy:
    | { readonly messageState: string; readonly isWaiting: boolean; readonly isAccepted: boolean }
    | undefined;
}

/**
 * Decides whether an email can be sent again (docs/contract/decisions.md#failed-emails). An email with a code is never sent
 * twice: the code may have expired, and the person who asked for it has asked for another one since.
 */
export function planResending({ error, hasCode, messageId }: LoggedAttempt, { mail, copy }: WhatIsLeft): Resending {
  if (error === null) return 'accepted';
  if (mail?.isWaiting || copy?.isWaiting) return 'waiting';
  if (hasCode) return 'has_code';
  if (messageId === null) return mail === undefined ? 'not_kept' : 'possible';
  if (copy === undefined) return 'not_kept';
  if (copy.isAccepted) return 'accepted';
  return copy.messageState === 'canceled' ? 'canceled' : 'possible';
}

/** Why an email is not sent again, in words. */
export const resendingRefusals: Readonly<Record<Exclude<Resending, 'possible'>, string>> = {
  waiting: 'The email waits in the queue already.',
  accepted: 'The mail server has accepted the email.',
  has_code: 'The email has a code, and a code is never sent twice.',
  canceled: 'The message to users was canceled.',
  not_kept: 'The content of the email is not kept any more.',
};
