import { decideSignUp, normalizeSignUpEntry, type SignUpRestrictions } from '@tessera/client';
import { signUpEntriesMax } from '@tessera/client/internals';
import { words } from '../words.ts';

/** The wrong entries that a problem quotes. */
const quotedMax = 3;

/** The entries of a text, in the spelling in which the server stores them, and the texts that are not entries. */
export function readEntries(text: string): { readonly entries: string[]; readonly wrong: string[] } {
  const parts = text.split(/[\s,;]+/).filter(part => part !== '');
  return {
    entries: [...new Set(parts.flatMap(part => normalizeSignUpEntry(part) ?? []))],
    wrong: parts.filter(part => normalizeSignUpEntry(part) === undefined),
  };
}

/**
 * Applies an edit to a stored list: what `typed` has more or less than `shown` is added or removed. Entries that another
 * admin has added or removed meanwhile stay so.
 */
export function changeEntries(
  stored: readonly string[],
  { shown, typed }: { readonly shown: readonly string[]; readonly typed: readonly string[] },
): string[] {
  const removed = shown.filter(entry => !typed.includes(entry));
  const added = typed.filter(entry => !shown.includes(entry) && !stored.includes(entry));
  return [...stored.filter(entry => !removed.includes(entry)), ...added];
}

/** Why a text cannot be saved as a list. */
export function problemOf(text: string): string | undefined {
  const { entries, wrong } = readEntries(text);
  if (wrong.length > 0) {
    return words.restrictions.wrong(wrong.slice(0, quotedMax).join(', '), Math.max(0, wrong.length - quotedMax));
  }
  return entries.length > signUpEntriesMax ? words.restrictions.tooMany(entries.length) : undefined;
}

/** Whether an address can sign up, and why. */
export interface Verdict {
  readonly isAllowed: boolean;
  readonly reason: keyof typeof words.restrictions.verdict;
  readonly entry: string;
}

/** Explains whether an address can sign up. @returns undefined while the text is not a complete address */
export function explainSignUp(
  text: string,
  restrictions: SignUpRestrictions,
  signUpEnabled: boolean,
): Verdict | undefined {
  const address = normalizeSignUpEntry(text);
  if (address?.includes('@') !== true) return undefined;
  if (!signUpEnabled) return { isAllowed: false, reason: 'closed', entry: '' };
  const { isAllowed, entry } = decideSignUp(address, restrictions);
  if (entry === undefined) return { isAllowed, reason: isAllowed ? 'notBlocked' : 'notListed', entry: '' };
  return { isAllowed, reason: isAllowed ? 'allowed' : 'blocked', entry };
}
