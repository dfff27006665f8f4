/** The server's only memory: values by key, bounded, dropped when another process says that they changed. */
export interface Memo<T> {
  get(key: string): Promise<T>;
  /** The value that was loaded last, however old: for what must go on while the database is away. */
  last(key: string): Promise<T> | undefined;
  /** Forgets one key; the next `get` loads it. */
  drop(key: string): void;
  dropAll(): void;
}

export interface MemoOptions<T> {
  readonly load: (key: string) => Promise<T>;
  readonly maxEntries: number;
  /** While false, changes made by other processes may go unheard, and every value is loaded. */
  readonly isReceiving: () => boolean;
}

interface Entry<T> {
  readonly value: Promise<T>;
  /** The newest value that was loaded before; of a load that is done, itself. */
  good: Entry<T> | undefined;
}

/** One load at a time per key. A load that fails is not kept; what was there before it stays. */
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
      // A load that is under way is as fresh as its answer; one that is done may be outdated.
      return options.isReceiving() || entry.good !== entry ? entry.value : load(key);
    },
    last: key => entries.get(key)?.good?.value,
    drop: key => {
      entries.delete(key);
    },
    dropAll: () => entries.clear(),
  };
}
