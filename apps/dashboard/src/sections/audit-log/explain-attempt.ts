import type { AuditEvent } from '@tessera/client';
import { eventWords } from './event-words.ts';

/** A step of a sign-in attempt, with what is known about it. */
export interface AttemptStep {
  readonly title: string;
  readonly state: keyof typeof eventWords.state;
  readonly text: string;
}

type Attempt = Pick<AuditEvent, 'action' | 'userId' | 'address' | 'details'>;

/** The refusals in which no account is found. A missing user id of other refusals says only that it is not known. */
const reasonsOfUnknownAccount = new Set(['EMAIL_PASSWORD_MISMATCH', 'SIGN_UP_NOT_ENABLED']);

/** Whether an event is a sign-in attempt. */
export function isAttempt({ action }: Pick<AuditEvent, 'action'>): boolean {
  return action === 'sign_in.failed' || action === 'sign_in.succeeded';
}

/** A sign-in attempt in the order in which the server handled it. It contains only what the event proves. */
export function explainAttempt(event: Attempt): readonly AttemptStep[] {
  const details = readDetails(event.details);
  return [requestStep(event), accountStep(event, details), proofStep(event, details), sessionStep(event, details)];
}

/** The words for a sign-in method of the log. The name of a provider is its own word. */
export function methodWords(method: string): string {
  const again = 'reauthentication:';
  if (method.startsWith(again)) return eventWords.confirming(methodWords(method.slice(again.length)));
  return eventWords.method[method] ?? method;
}

/** How often a failure of this kind was repeated without a row of its own; 0 for a single one. */
export function repetitionsOf(event: Pick<AuditEvent, 'details'>): number {
  return readDetails(event.details).count;
}

function requestStep({ address }: Attempt): AttemptStep {
  const text = address === null ? eventWords.step.requestUnknown : eventWords.step.requestFrom(address);
  return { title: eventWords.step.request, state: 'passed', text };
}

function accountStep({ userId }: Attempt, { reason }: Details): AttemptStep {
  const title = eventWords.step.account;
  if (userId !== null) return { title, state: 'passed', text: eventWords.step.accountFound };
  if (reasonsOfUnknownAccount.has(reason)) return { title, state: 'failed', text: eventWords.step.accountUnknown };
  return { title, state: 'skipped', text: eventWords.step.accountOpen };
}

function proofStep({ action }: Attempt, { method, reason }: Details): AttemptStep {
  const title = eventWords.step.proof;
  if (action === 'sign_in.succeeded') {
    return { title, state: 'passed', text: eventWords.proofPassed(methodWords(method)) };
  }
  const why = eventWords.reason[reason] ?? eventWords.otherReason(reason);
  return { title, state: 'failed', text: eventWords.proofFailed(methodWords(method), why) };
}

function sessionStep({ action }: Attempt, { method, isNewUser, count }: Details): AttemptStep {
  const title = eventWords.step.session;
  if (action === 'sign_in.succeeded') {
    const text = isNewUser ? eventWords.step.sessionOfNewUser : eventWords.step.sessionCreated;
    return { title, state: 'passed', text };
  }
  const outcome = method.startsWith('reauthentication:') ? eventWords.step.sessionUnchanged : eventWords.step.noSession;
  const text = count > 0 ? `${outcome} ${eventWords.step.repeated(count)}` : outcome;
  return { title, state: 'skipped', text };
}

interface Details {
  readonly method: string;
  readonly reason: string;
  readonly isNewUser: boolean;
  readonly count: number;
}

function readDetails(details: AuditEvent['details']): Details {
  const known = typeof details === 'object' && details !== null ? (details as Readonly<Record<string, unknown>>) : {};
  return {
    method: typeof known.method === 'string' ? known.method : eventWords.detail.unknown,
    reason: typeof known.reason === 'string' ? known.reason : eventWords.detail.unknown,
    isNewUser: known.is_new_user === true,
    count: typeof known.count === 'number' ? known.count : 0,
  };
}
