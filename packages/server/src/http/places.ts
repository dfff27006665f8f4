/** Places by key, such as an address or a project. */
export interface Places {
  /** Takes a place. @returns the function that frees it; undefined when all places of the key are taken */
  take(key: string): (() => void) | undefined;
}

/** Creates `max` places for each key. */
export function createPlaces(max: number): Places {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (count >= max) return undefined;
      taken.set(key, count + 1);
      return () => {
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}
