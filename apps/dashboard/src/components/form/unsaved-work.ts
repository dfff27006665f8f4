const guards = new Set<() => boolean>();

/** What the shown page would lose when it is left. */
export const unsavedWork = {
  exists: () => [...guards].some(isChanged => isChanged()),
  /** Asks `isChanged` until the returned function is called. */
  watch(isChanged: () => boolean): () => void {
    guards.add(isChanged);
    return () => void guards.delete(isChanged);
  },
};
