import { RequestError } from '@tessera/client';
import { type ErrorCode, hasCode } from '@tessera/client/internals';

/** What a sign-in or sign-up flow can do. */
export type SignInAction =
  | 'password'
  | 'send-code'
  | 'code'
  | 'passkey'
  | 'passkey-autofill'
  | 'provider'
  | 'second-factor'
  | 'verification'
  | 'resend'
  | 'change-email'
  | 'skip'
  | 'password-reset';

/** The input that an error is about. */
export type SignInField = 'email' | 'password' | 'code';

/** Why the last action ended without success. */
export interface SignInProblem {
  readonly action: SignInAction;
  /** A known error with a stable code, a `RequestError`, or any other error. */
  readonly error: unknown;
  /** The input to show it at; undefined for a problem of the whole form. */
  readonly field: SignInField | undefined;
}

/** The action that waits for its response. */
export interface PendingSignIn {
  readonly action: SignInAction;
  /** Id of the provider that the page is being left for. */
  readonly provider: string | undefined;
}

/** An email that the flow has sent. */
export interface SentEmail {
  readonly email: string;
  /** When it was sent, in milliseconds since 1970. */
  readonly sentAtMillis: number;
}

interface Activity {
  /** The action that waits for its response. Inputs and buttons can stay enabled: an equal action is sent once. */
  readonly pending: PendingSignIn | undefined;
  /** Why the last action failed. The next action clears it. */
  readonly problem: SignInProblem | undefined;
}

/** A step, and what its page needs. */
export type StepContent =
  | {
      /** The visitor chooses a method. */
      readonly step: 'start';
    }
  | ({
      /** An email with a code of six characters was sent. */
      readonly step: 'code';
      /** Completes the code of the email. Without that code it is useless. */
      readonly nonce: string;
    } & SentEmail)
  | {
      /** The account has a second factor. */
      readonly step: 'second-factor';
      /** The attempt that the second factor completes. */
      readonly attemptCode: string;
      /** Whether the attempt can no longer succeed, because it expired or had too many wrong codes: start over. */
      readonly isOver: boolean;
    }
  | ({
      /** An email with a link to set a new password was sent, if the account exists. */
      readonly step: 'password-reset';
    } & SentEmail)
  | ({
      /** Sign-up only: the account exists, its visitor is signed in, and an email with a code of six characters was sent. */
      readonly step: 'verification';
      /** Completes the code of the email. Without that code it is useless. */
      readonly nonce: string;
    } & SentEmail)
  | {
      /** The visitor is signed in. The page is being left, unless the flow makes no redirects. */
      readonly step: 'complete';
    };

/** A step of the flow, without what the page loads. */
export type SignInStep = Activity & StepContent;

/** What happens in a flow. */
export type SignInEvent =
  | { readonly type: 'begin'; readonly action: SignInAction; readonly provider?: string | undefined }
  /** An action has led to a step, or the visitor starts over. */
  | { readonly type: 'step'; readonly to: StepContent }
  | { readonly type: 'failure'; readonly action: SignInAction; readonly error: unknown }
  /** An action ended without a result, e.g. the visitor came back from the provider. */
  | { readonly type: 'cancel' }
  | { readonly type: 'sign-out' };

const idle: Activity = { pending: undefined, problem: undefined };

/** The event that leads to a step. */
export function moveTo(to: StepContent): SignInEvent {
  return { type: 'step', to };
}

/** The event of an action that needs a second factor. */
export function secondFactorOf(attemptCode: string): SignInEvent {
  return moveTo({ step: 'second-factor', attemptCode, isOver: false });
}

/** The first step. */
export const start: SignInStep = { step: 'start', ...idle };

/** The step after an event. A late result of another action does not leave `complete`. */
export function nextStep(now: SignInStep, event: SignInEvent): SignInStep {
  if (now.step === 'complete') return leavesComplete(event) ? nextStep(start, event) : now;
  switch (event.type) {
    case 'begin':
      return { ...now, problem: undefined, pending: { action: event.action, provider: event.provider } };
    case 'step':
      return { ...event.to, ...idle };
    case 'failure':
      return afterFailure(now, event);
    case 'cancel':
      return { ...now, pending: undefined };
    case 'sign-out':
      return now;
  }
}

function leavesComplete(event: SignInEvent): boolean {
  if (event.type === 'step') return event.to.step === 'start';
  return event.type === 'begin' || event.type === 'sign-out';
}

/** Whether the page of a signed-in visitor still has something to do: an action, or the code of a new account. */
export function isOpen({ step, pending }: SignInStep): boolean {
  return pending !== undefined || step === 'verification';
}

function afterFailure(now: SignInStep, { action, error }: { action: SignInAction; error: unknown }): SignInStep {
  const failed = { pending: undefined, problem: problemOf(action, error) };
  if (now.step !== 'second-factor') return { ...now, ...failed };
  return { ...now, ...failed, isOver: action === 'second-factor' && endsAttempt(error) };
}

/** Wrong codes can be corrected, and a request without a response repeated. Any other error ends the attempt. */
export function endsAttempt(error: unknown): boolean {
  return !hasCode(error, 'INVALID_TOTP_CODE', 'INVALID_RECOVERY_CODE') && !(error instanceof RequestError);
}

/** The codes of a code that the server does not take: of an email, an authenticator app, or for recovery. */
const refusedCode: { readonly code: readonly ErrorCode[] } = {
  code: [
    'VERIFICATION_CODE_NOT_FOUND',
    'VERIFICATION_CODE_EXPIRED',
    'VERIFICATION_CODE_ALREADY_USED',
    'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
    'INVALID_TOTP_CODE',
    'INVALID_RECOVERY_CODE',
  ],
};

/** The codes of an address that the server does not take, and of a project that takes none. */
const refusedEmail: { readonly email: readonly ErrorCode[] } = {
  email: [
    'REDIRECT_URL_NOT_WHITELISTED',
    'SIGN_UP_NOT_ENABLED',
    'USER_EMAIL_ALREADY_EXISTS',
    'EMAIL_ADDRESS_NOT_ALLOWED',
    'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE',
  ],
};

/** The codes of a password that the server does not take. */
export const refusedPassword: readonly ErrorCode[] = [
  'PASSWORD_REQUIREMENTS_NOT_MET',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_TOO_LONG',
];

/** The errors that are about one input, by action. */
const fields: Partial<Record<SignInAction, Partial<Record<SignInField, readonly ErrorCode[]>>>> = {
  password: {
    // A refusal of address and password is shown at the password, which is the likelier mistake.
    password: ['EMAIL_PASSWORD_MISMATCH', 'INVALID_TOTP_CODE', ...refusedPassword],
    ...refusedEmail,
  },
  'send-code': refusedEmail,
  code: refusedCode,
  'second-factor': refusedCode,
  verification: refusedCode,
  'change-email': refusedEmail,
};

/** The problem of an action, with the input that it is about. */
export function problemOf(action: SignInAction, error: unknown): SignInProblem {
  const entries = Object.entries(fields[action] ?? {}) as [SignInField, readonly ErrorCode[]][];
  return { action, error, field: entries.find(([, codes]) => hasCode(error, ...codes))?.[0] };
}
