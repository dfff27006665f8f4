interface Entries<Key> {
  readonly size: number;
  keys(): Iterator<Key>;
  delete(key: Key): boolean;
}

/** Deletes the oldest entry of a map or set that has more than `maxSize` entries. Call it after each insertion. */
export function dropOldest<Key>(entries: Entries<Key>, maxSize: number): void {
  if (entries.size <= maxSize) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
