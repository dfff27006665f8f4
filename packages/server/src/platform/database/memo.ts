import { dropOldest } from '../drop-oldest.ts';

/** The server's only cache: values by key, bounded, dropped when another process reports a change. */
export interface Memo<T> {
  get(key: string): Promise<T>;
  /** The value that was loaded last, at any age: for operations that continue while the database is unavailable. */
  last(key: string): Promise<T> | undefined;
  /** Loads the value again. When that fails, the previous value stays. */
  reload(key: string): Promise<T>;
  /** Removes one key; the next `get` loads it. */
  drop(key: string): void;
  dropAll(): void;
}

export interface MemoOptions<T> {
  /** Loads the value of a key; `undefined` when the key does not exist. */
  readonly load: (key: string) => Promise<T>;
  /** The maximum number of keys that exist. Keys that were not used lately are evicted first. */
  readonly maxEntries: number;
  /** The size of a value, and the maximum of all values together, in the same unit. Default: only `maxEntries` counts. */
  readonly size?: { readonly of: (value: T) => number; readonly max: number };
  /** While false, changes of other processes may be missed, so every `get` loads its value. */
  readonly isReceiving: () => boolean;
}

interface Entry<T> {
  readonly value: Promise<T>;
  /** The newest loaded value; of a completed load, that value. */
  good: Entry<T> | undefined;
  /** False when the load returned `undefined`. */
  exists: boolean;
  /** Zero while the value is loading. */
  size: number;
  /** Whether it was read since the last search for an entry to evict. */
  isUsed: boolean;
}

/** Callers may invent keys, so keys that do not exist have few places of their own and remove no value. */
const maxMissing = 1_000;

/** One load at a time per key. A failed load is not kept; the previous value stays. */
export function createMemo<T>(options: MemoOptions<T>): Memo<T> {
  const { of: sizeOf, max: maxSize } = options.size ?? { of: () => 0, max: 0 };
  let size = 0;
  const entries = new Map<string, Entry<T>>();
  const missing = new Map<string, Entry<T>>();

  const find = (key: string) => entries.get(key) ?? missing.get(key);

  function drop(key: string): void {
    remove(key);
    missing.delete(key);
  }

  function remove(key: string): void {
    size -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  }

  function load(key: string): Promise<T> {
    const entry: Entry<T> = { value: options.load(key), good: find(key)?.good, exists: true, size: 0, isUsed: true };
    drop(key);
    entries.set(key, entry);
    entry.value.then(
      value => {
        entry.good = entry;
        entry.exists = value !== undefined;
        entry.size = entry.exists ? sizeOf(value) : 0;
        if (entries.get(key) === entry) place(key, entry);
      },
      () => {
        if (entries.get(key) === entry) place(key, entry.good);
      },
    );
    return entry.value;
  }

  function place(key: string, entry: Entry<T> | undefined): void {
    entries.delete(key);
    if (entry === undefined) return;
    if (entry.exists) {
      entries.set(key, entry);
      size += entry.size;
      while (entries.size > options.maxEntries || size > maxSize) evict();
      return;
    }
    missing.set(key, entry);
    dropOldest(missing, maxMissing);
  }

  /** Removes the oldest entry that was not read lately. A read one becomes the newest, so a `get` needs no reordering. */
  function evict(): void {
    for (const [key, entry] of entries) {
      if (!entry.isUsed) {
        remove(key);
        return;
      }
      entry.isUsed = false;
      entries.delete(key);
      entries.set(key, entry);
    }
  }

  return {
    get(key) {
      const entry = find(key);
      if (entry === undefined) return load(key);
      entry.isUsed = true;
      // A running load is as fresh as its result; the value of a completed one may be outdated.
      return options.isReceiving() || entry.good !== entry ? entry.value : load(key);
    },
    reload: load,
    last: key => find(key)?.good?.value,
    drop,
    dropAll: () => {
      entries.clear();
      size = 0;
      missing.clear();
    },
  };
}
