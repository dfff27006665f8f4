import { webhookFailingMaxMs, webhookRetryDelaysMs, webhookRetryJitter } from '@tessera/protocol';

/** How an attempt to deliver went. */
export interface Outcome {
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  /** The beginning of the answer, or why there was none. */
  readonly answer: string;
  readonly durationMs: number;
}

/** What follows from an attempt. */
export interface AfterAttempt {
  readonly status: 'success' | 'pending' | 'fail';
  /** Until the next attempt; null when there is none. */
  readonly retryInMs: number | null;
  readonly failingSinceMillis: number | null;
  /** The endpoint has failed for too long, or says that it is gone. */
  readonly disables: boolean;
}

export interface AttemptFacts {
  readonly isManual: boolean;
  /** Scheduled attempts before this one. */
  readonly attempts: number;
  readonly status: 'success' | 'pending' | 'fail';
  /** Since when the endpoint has not had a success. */
  readonly failingSinceMillis: number | null;
  readonly nowMillis: number;
  /** From 0 to 1. */
  readonly chance: number;
}

const gone = 410;

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What an attempt means for the delivery and for its endpoint. */
export function afterAttempt(outcome: Outcome, facts: AttemptFacts): AfterAttempt {
  if (isSuccess(outcome.status)) {
    return { status: 'success', retryInMs: null, failingSinceMillis: null, disables: false };
  }
  const failingSinceMillis = facts.failingSinceMillis ?? facts.nowMillis;
  const disables = outcome.status === gone || facts.nowMillis - failingSinceMillis >= webhookFailingMaxMs;
  // What somebody tries by hand changes nothing about the schedule.
  if (facts.isManual) return { status: facts.status, retryInMs: null, failingSinceMillis, disables };
  const retryInMs = disables ? null : retryDelayMs(facts.attempts, facts.chance);
  return { status: retryInMs === null ? 'fail' : 'pending', retryInMs, failingSinceMillis, disables };
}

/** Until the attempt after so many that failed before this one; null when all have been made. */
export function retryDelayMs(attempts: number, chance: number): number | null {
  const delayMs = webhookRetryDelaysMs[attempts];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + webhookRetryJitter * chance));
}

/** Ids of endpoints and attempts as Svix writes them: a prefix, and the 32 digits of a UUID. */
const prefixes = { endpoint: 'ep_', attempt: 'atmpt_' } as const;

type Kind = keyof typeof prefixes;

export function toPublicId(kind: Kind, uuid: string): string {
  return prefixes[kind] + uuid.replaceAll('-', '');
}

/** Undefined for text that is not the id of such a thing. */
export function fromPublicId(kind: Kind, id: string): string | undefined {
  const digits = id.slice(prefixes[kind].length);
  if (!id.startsWith(prefixes[kind]) || !/^[0-9a-f]{32}$/.test(digits)) return undefined;
  return uuidOf(digits);
}

const messagePrefix = 'msg_';
const messageIdDigits = 27;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const uuidMax = 2n ** 128n - 1n;

/** The id of a message as Svix writes it: `msg_` and 27 digits of base 62. Here they are the number of the UUID. */
export function toMessageId(uuid: string): string {
  let digits = '';
  for (let rest = BigInt(`0x${uuid.replaceAll('-', '')}`); rest > 0n; rest /= 62n) {
    digits = base62.charAt(Number(rest % 62n)) + digits;
  }
  return messagePrefix + digits.padStart(messageIdDigits, '0');
}

/** Undefined for text that is not the id of a message. */
export function fromMessageId(id: string): string | undefined {
  const digits = id.slice(messagePrefix.length);
  if (!id.startsWith(messagePrefix) || !/^[0-9A-Za-z]{27}$/.test(digits)) return undefined;
  let number = 0n;
  for (const digit of digits) number = number * 62n + BigInt(base62.indexOf(digit));
  return number > uuidMax ? undefined : uuidOf(number.toString(16).padStart(32, '0'));
}

function uuidOf(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** The project itself is the application. */
export function applicationId(projectId: string): string {
  return `app_${projectId.replaceAll('-', '')}`;
}
