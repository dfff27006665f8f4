/** Runs the work of one key in the order of the calls, one at a time. Work of different keys runs at the same time. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const lastOf = new Map<string, Promise<unknown>>();

  return (key, work) => {
    const result = (lastOf.get(key) ?? Promise.resolve()).then(work);
    // The caller handles a failure; the next work runs anyway.
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    lastOf.set(key, ended);
    void ended.then(() => {
      if (lastOf.get(key) === ended) lastOf.delete(key);
    });
    return result;
  };
}
