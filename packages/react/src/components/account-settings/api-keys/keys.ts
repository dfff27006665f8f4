import type { ApiKeyCreateOptions } from '@tessera/client';
import type { WordKey } from '../../../words/words.ts';

/** The fields of a user or team API key that the list needs. */
export interface ApiKey {
  readonly id: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly value: { readonly lastFour: string };
  readonly scopes?: readonly string[] | null;
  whyInvalid(): 'manually-revoked' | 'expired' | null;
  revoke(): Promise<void>;
}

/** Creates a key. Resolves to its full text, which is shown once. */
export type CreateKey = (options: ApiKeyCreateOptions) => Promise<{ readonly value: string }>;

export type KeyStatus = 'valid' | 'expired' | 'revoked';
type Key = Omit<ApiKey, 'id' | 'revoke'>;

export function statusOf(key: Key): KeyStatus {
  const why = key.whyInvalid();
  if (why === null) return 'valid';
  return why === 'expired' ? 'expired' : 'revoked';
}

interface KeyFilter {
  readonly search: string;
  readonly status: KeyStatus | 'all';
}

/** Keys that match the search: valid ones first, then the newest. */
export function keysToShow<K extends Key>(keys: readonly K[], { search, status }: KeyFilter): readonly K[] {
  const wanted = search.trim().toLowerCase();
  const rank = (key: K) => (statusOf(key) === 'valid' ? 0 : 1);
  return keys
    .filter(key => status === 'all' || statusOf(key) === status)
    .filter(key => `${key.description} ${key.value.lastFour}`.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other) || other.createdAt.getTime() - one.createdAt.getTime());
}

const dayMs = 86_400_000;

/** A key that never expires has an expiry on the wire: `neverExpires` recognizes it. */
const neverYears = 200;

/** The lifetimes that can be chosen for a new key, in days. */
export const lifetimes = [
  { days: 1, word: 'keys.day' },
  { days: 7, word: 'keys.week' },
  { days: 30, word: 'keys.month' },
  { days: 90, word: 'keys.quarter' },
  { days: 365, word: 'keys.year' },
  { days: neverYears * 365, word: 'keys.never' },
] as const satisfies readonly { days: number; word: WordKey }[];

export const usualLifetimeDays = 30;

export function expiryIn(days: number, now = Date.now()): Date {
  return new Date(now + days * dayMs);
}
