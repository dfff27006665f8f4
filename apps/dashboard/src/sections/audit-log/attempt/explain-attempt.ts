import type { AuditEvent } from '@tessera/client';
import { providerName } from '../../../data/oauth-providers.ts';
import { eventWords } from '../event-words.ts';
import { limitWords } from './limit-names.ts';
import { type Mend, mendOf } from './mends.ts';

/** A step of a sign-in attempt, with what is known about it. */
export interface AttemptStep {
  readonly title: string;
  readonly state: keyof typeof eventWords.state;
  readonly text: string;
  /** The setting that decides about the failure; undefined when no setting does. */
  readonly mend?: Mend | undefined;
}

type Attempt = Pick<AuditEvent, 'action' | 'userId' | 'address' | 'details'>;

/** The refusals in which no account is found. A missing user id of other refusals says only that it is not known. */
const reasonsOfUnknownAccount = new Set(['EMAIL_PASSWORD_MISMATCH', 'SIGN_UP_NOT_ENABLED']);

const explanations: Partial<
  Readonly<Record<AuditEvent['action'], (event: Attempt, details: Details) => readonly AttemptStep[]>>
> = {
  'sign_in.succeeded': explainProof,
  'sign_in.failed': explainProof,
  'sign_in.refused': explainRefusal,
  'limit.reached': explainLimit,
};

/** Whether an event is a sign-in attempt, or a request that was refused before one. */
export function isAttempt({ action }: Pick<AuditEvent, 'action'>): boolean {
  return action in explanations;
}

/** A sign-in attempt in the order in which the server handled it. It contains only what the event proves. */
export function explainAttempt(event: Attempt): readonly AttemptStep[] {
  return explanations[event.action]?.(event, readDetails(event.details)) ?? [];
}

/** The words for a sign-in method of the log, which may be the id of a provider. */
function methodWords(method: string): string {
  const again = 'reauthentication:';
  if (method.startsWith(again)) return eventWords.confirming(methodWords(method.slice(again.length)));
  return eventWords.method[method] ?? providerName(method);
}

/** How often a failure of this kind was repeated without a row of its own; 0 for a single one. */
export function repetitionsOf(event: Pick<AuditEvent, 'details'>): number {
  return readDetails(event.details).count;
}

function explainProof(event: Attempt, details: Details): readonly AttemptStep[] {
  return [requestStep(event), accountStep(event, details), proofStep(event, details), sessionStep(event, details)];
}

/** A request that a rule of the project refused before an identity was proved. */
function explainRefusal(event: Attempt, details: Details): readonly AttemptStep[] {
  const { route, redirectOrigin } = details;
  const request = eventWords.route[route] ?? eventWords.otherRoute(route);
  const why = sentenceOf(reasonWords(details));
  const text = redirectOrigin === undefined ? why : `${why} ${eventWords.step.redirectOrigin(redirectOrigin)}`;
  return [
    { ...requestStep(event), title: request },
    { title: eventWords.step.rules, state: 'failed', text, mend: mendOf(details) },
    sessionStep(event, details),
  ];
}

function explainLimit(event: Attempt, details: Details): readonly AttemptStep[] {
  const { step } = eventWords;
  const text = step.limitReached(limitWords(details.limit));
  const limit = { title: step.limit, state: 'failed', text, mend: 'limits' } as const;
  const account =
    event.userId === null
      ? [limit, { title: step.account, state: 'skipped', text: step.accountUnasked } as const]
      : [accountStep(event, details), limit];
  return [requestStep(event), ...account, sessionStep(event, details)];
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

function proofStep({ action }: Attempt, details: Details): AttemptStep {
  const title = eventWords.step.proof;
  const method = methodWords(details.method);
  if (action === 'sign_in.succeeded') {
    return { title, state: 'passed', text: eventWords.proofPassed(method) };
  }
  const { redirectOrigin } = details;
  const why = reasonWords(details);
  const text = redirectOrigin === undefined ? why : `${why} ${eventWords.step.redirectOrigin(redirectOrigin)}`;
  return { title, state: 'failed', text: eventWords.proofFailed(method, text), mend: mendOf(details) };
}

/** Reasons follow the name of a method; alone they begin a sentence. */
function sentenceOf(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function reasonWords({ reason, cause }: Details): string {
  const known = (cause === undefined ? undefined : eventWords.cause[cause]) ?? eventWords.reason[reason];
  if (known !== undefined) return known;
  // A refusal without a code is a sentence of its own.
  return reason.includes(' ') ? reason : eventWords.otherReason(reason);
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
  readonly cause: string | undefined;
  readonly redirectOrigin: string | undefined;
  readonly route: string;
  readonly limit: string;
  readonly isNewUser: boolean;
  readonly count: number;
}

function readDetails(details: AuditEvent['details']): Details {
  const known = typeof details === 'object' && details !== null ? (details as Readonly<Record<string, unknown>>) : {};
  const text = (name: string) => (typeof known[name] === 'string' ? known[name] : undefined);
  const { unknown } = eventWords.detail;
  return {
    method: text('method') ?? unknown,
    reason: text('reason') ?? unknown,
    cause: text('cause'),
    redirectOrigin: text('redirect_origin'),
    route: text('route') ?? unknown,
    limit: text('limit') ?? unknown,
    isNewUser: known.is_new_user === true,
    count: typeof known.count === 'number' ? known.count : 0,
  };
}
