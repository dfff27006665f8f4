import type { InternalApiKey, InternalApiKeyCreateOptions } from '@tessera/client';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { words as common } from '../../words.ts';
import { words } from './words.ts';

const dayMs = 24 * 3600 * 1000;
const soonMs = 14 * dayMs;

/** The kinds of keys, in the order of the screen. */
export const keyKinds = ['publishableClientKey', 'secretServerKey', 'superSecretAdminKey'] as const;

export type KeyKind = (typeof keyKinds)[number];

/** The form of a new set of keys. */
export interface KeySetValues {
  readonly description: string;
  readonly lifetimeDays: keyof typeof words.lifetimes;
  readonly kinds: readonly KeyKind[];
}

/** The choices that most apps keep: one key for the app, one for its server. */
export const firstKeySet: KeySetValues = {
  description: '',
  lifetimeDays: '365',
  kinds: ['publishableClientKey', 'secretServerKey'],
};

/** A set has a purpose and at least one key. */
export function validateKeySet({ description, kinds }: KeySetValues): FieldErrors<KeySetValues> {
  return {
    description: description.trim() === '' ? common.form.required : undefined,
    kinds: kinds.length === 0 ? words.kindRequired : undefined,
  };
}

/** The request for a new set of keys. */
export function newKeySet(values: KeySetValues, nowMs: number): InternalApiKeyCreateOptions {
  const expiresAt = new Date(nowMs + Number(values.lifetimeDays) * dayMs);
  return { description: values.description.trim(), expiresAt, ...flagsOf(kind => values.kinds.includes(kind)) };
}

/** The request for a set that replaces another: the same purpose, kinds and lifetime. */
export function successorOf(set: InternalApiKey, nowMs: number): InternalApiKeyCreateOptions {
  const lifetimeMs = set.expiresAt.getTime() - set.createdAt.getTime();
  return {
    description: set.description,
    expiresAt: new Date(nowMs + lifetimeMs),
    ...flagsOf(kind => set[kind] !== null),
  };
}

function flagsOf(has: (kind: KeyKind) => boolean) {
  return {
    hasPublishableClientKey: has('publishableClientKey'),
    hasSecretServerKey: has('secretServerKey'),
    hasSuperSecretAdminKey: has('superSecretAdminKey'),
  };
}

/** The displayed purpose of a set. */
export function purposeOf({ description }: Pick<InternalApiKey, 'description'>): string {
  return description.trim() || words.noPurpose;
}

/** The accessible name of a set. After a rotation two sets have the same purpose, and the ending of a key tells them apart. */
export function nameOfSet(set: Pick<InternalApiKey, 'description' | KeyKind>): string {
  const key = set.secretServerKey ?? set.superSecretAdminKey ?? set.publishableClientKey;
  return key === null ? purposeOf(set) : `${purposeOf(set)} (${words.endsWith(key.lastFour)})`;
}

/** Whether a set expires within two weeks. */
export function expiresSoon({ expiresAt }: Pick<InternalApiKey, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt.getTime() - nowMs < soonMs;
}
