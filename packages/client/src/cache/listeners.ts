/** Functions to call when something changes. */
export interface Listeners {
  /** @returns the undo. */
  add(listener: () => void): () => void;
  notify(): void;
  readonly size: number;
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    add(listener) {
      // Wrapped, so that a function that is added twice is called twice and each undo removes one.
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    notify() {
      for (const listener of [...listeners]) listener();
    },
    get size() {
      return listeners.size;
    },
  };
}
