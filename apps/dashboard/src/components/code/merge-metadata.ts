import type { Json } from '@tessera/client';
import { isRecord, type JsonRecord } from '../../data/is-record.ts';

interface Versions {
  /** When the edit began. */
  readonly before: unknown;
  readonly edited: Json;
  /** Now. */
  readonly stored: unknown;
}

/**
 * The metadata to store after an edit. What the app or another admin has changed in the meantime stays, entry by entry;
 * the edit wins where both have changed one. An edit that leaves no object replaces everything.
 */
export function mergeMetadata({ before, edited, stored }: Versions): Json {
  if (isEqual(before, stored) || !isRecord(edited)) return edited;
  const old = isRecord(before) ? before : {};
  const isEdited = (name: string) => !isEqual(entryOf(old, name), entryOf(edited, name));
  const kept = Object.entries(isRecord(stored) ? stored : {}).filter(([name]) => !isEdited(name));
  return Object.fromEntries([...kept, ...Object.entries(edited).filter(([name]) => isEdited(name))]);
}

function entryOf(entries: JsonRecord, name: string): Json | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
