import type { Json } from '@tessera/client';

interface Versions {
  /** When the edit began. */
  readonly before: unknown;
  readonly edited: Json;
  /** Now. */
  readonly stored: unknown;
}

type Entries = Readonly<Record<string, Json>>;

/**
 * The metadata to store after an edit. What the app or another admin has changed in the meantime stays, entry by entry;
 * the edit wins where both have changed one. An edit that leaves no object replaces everything.
 */
export function mergeMetadata({ before, edited, stored }: Versions): Json {
  if (isEqual(before, stored) || !isObject(edited)) return edited;
  const old = isObject(before) ? before : {};
  const isEdited = (name: string) => !isEqual(entryOf(old, name), entryOf(edited, name));
  const kept = Object.entries(isObject(stored) ? stored : {}).filter(([name]) => !isEdited(name));
  return Object.fromEntries([...kept, ...Object.entries(edited).filter(([name]) => isEdited(name))]);
}

function entryOf(entries: Entries, name: string): Json | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
