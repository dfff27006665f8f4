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
  readonly load: (key: string) => Promise<T>;
  readonly maxEntries: number;
  /** While false, changes of other processes may be missed, so every `get` loads its value. */
  readonly isReceiving: () => boolean;
}

interface Entry<T> {
  readonly value: Promise<T>;
  /** The newest loaded value; of a completed load, that value. */
  good: Entry<T> | undefined;
}

/** One load at a time per key. A failed load is not kept; the previous value stays. */
export function createMemo<T>(options: MemoOptions<T>): Memo<T> {
  const entries = new Map<string, Entry<T>>();

  function load(key: string): Promise<T> {
    const previous = entries.get(key);
    const entry: Entry<T> = {
      value: options.load(key),
      good: previous?.good,
    };
    entries.delete(key);
    entries.set(key, entry);
    entry.value.then(
      () => {
        entry.good = entry;
      },
      () => {
        if (entries.get(key) !== entry) return;
        entries.delete(key);
        if (entry.good !== undefined) entries.set(key, entry.good);
      },
    );
    const oldest = entries.keys().next();
    if (entries.size > options.maxEntries && !oldest.done) entries.delete(oldest.value);
    return entry.value;
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return load(key);
      // A running load is as fresh as its result; the value of a completed one may be outdated.
      return options.isReceiving() || entry.good !== entry ? entry.value : load(key);
    },
    reload: load,
    last: key => entries.get(key)?.good?.value,
    drop: key => {
      entries.delete(key);
    },
    dropAll: () => entries.clear(),
  };
}
