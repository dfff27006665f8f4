import { webhookFailingMaxMs, webhookRetryDelaysMs, webhookRetryJitter } from '@tessera/protocol';

/** The outcome of a delivery attempt. */
export interface Outcome {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** The beginning of the response body, or the reason why there was none. */
  readonly answer: string;
  readonly durationMs: number;
}

/** The changes that follow from an attempt. */
export interface AttemptPlan {
  readonly status: 'success' | 'pending' | 'fail';
  /** Delay of the next attempt; null for the last one. */
  readonly retryInMs: number | null;
  readonly failingSinceMillis: number | null;
  /** True when the endpoint answered 410, or a delivery failed for the last time and the endpoint has failed for too long. */
  readonly disables: boolean;
}

export interface AttemptContext {
  readonly isManual: boolean;
  /** Scheduled attempts before this one. */
  readonly attempts: number;
  readonly status: 'success' | 'pending' | 'fail';
  /** Time of the first failure since the last success. */
  readonly failingSinceMillis: number | null;
  readonly nowMillis: number;
  /** Random value from 0 to 1 for the jitter. */
  readonly chance: number;
}

const gone = 410;

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Decides what an attempt changes for the delivery and for its endpoint. */
export function planAfterAttempt(outcome: Outcome, facts: AttemptContext): AttemptPlan {
  if (isSuccess(outcome.status)) {
    return { status: 'success', retryInMs: null, failingSinceMillis: null, disables: false };
  }
  const failingSinceMillis = facts.failingSinceMillis ?? facts.nowMillis;
  const isGone = outcome.status === gone;
  // A manual attempt does not change the schedule.
  if (facts.isManual) return { status: facts.status, retryInMs: null, failingSinceMillis, disables: isGone };
  const retryInMs = isGone ? null : retryDelayMs(facts.attempts, facts.chance);
  if (retryInMs !== null) return { status: 'pending', retryInMs, failingSinceMillis, disables: false };
  // Without traffic the first failure may be old: only a delivery without a retry left shows that the endpoint still fails.
  const disables = isGone || facts.nowMillis - failingSinceMillis >= webhookFailingMaxMs;
  return { status: 'fail', retryInMs, failingSinceMillis, disables };
}

/** Delay of the next attempt after `attempts` earlier failures; null when no attempt is left. */
export function retryDelayMs(attempts: number, chance: number): number | null {
  const delayMs = webhookRetryDelaysMs[attempts];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + webhookRetryJitter * chance));
}

/** Ids of endpoints and attempts in the format of Svix: a prefix and the 32 hex digits of a UUID. */
const prefixes = { endpoint: 'ep_', attempt: 'atmpt_' } as const;

type Kind = keyof typeof prefixes;

export function toPublicId(kind: Kind, uuid: string): string {
  return prefixes[kind] + uuid.replaceAll('-', '');
}

/** @returns undefined for text that is not an id of this kind */
export function fromPublicId(kind: Kind, id: string): string | undefined {
  const digits = id.slice(prefixes[kind].length);
  if (!id.startsWith(prefixes[kind]) || !/^[0-9a-f]{32}$/.test(digits)) return undefined;
  return uuidOf(digits);
}

const messagePrefix = 'msg_';
const messageIdDigits = 27;
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const uuidMax = 2n ** 128n - 1n;

/** The id of a message in the format of Svix: `msg_` and 27 digits of base 62, which encode the UUID as a number. */
export function toMessageId(uuid: string): string {
  let digits = '';
  for (let rest = BigInt(`0x${uuid.replaceAll('-', '')}`); rest > 0n; rest /= 62n) {
    digits = base62.charAt(Number(rest % 62n)) + digits;
  }
  return messagePrefix + digits.padStart(messageIdDigits, '0');
}

/** @returns undefined for text that is not a message id */
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

/** A project is one Svix application. */
export function applicationId(projectId: string): string {
  return `app_${projectId.replaceAll('-', '')}`;
}
