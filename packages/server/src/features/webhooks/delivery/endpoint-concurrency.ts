/**
 * Whose turn it is: how many requests go to one endpoint at the same time, from this process. One that does not answer
 * holds up no others, however much there is for it.
 */
export interface ConcurrencyLimiter {
  /** Gives a function to be called at the end, with how it went if it did; undefined when the endpoint takes no more. */
  take(endpointId: string): ((wentWell: boolean | undefined) => void) | undefined;
  /** The endpoints that take no more for now. */
  full(): string[];
}

const atOnce = 4;
/** To one whose last answer was no success. */
const atOnceFailing = 1;

export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const running = new Map<string, number>();
  const failing = new Set<string>();

  const isFull = (id: string, count: number) => count >= (failing.has(id) ? atOnceFailing : atOnce);

  function end(endpointId: string, wentWell: boolean | undefined): void {
    const left = (running.get(endpointId) ?? 0) - 1;
    if (left > 0) running.set(endpointId, left);
    else running.delete(endpointId);
    if (wentWell === true) failing.delete(endpointId);
    if (wentWell === false) failing.add(endpointId);
  }

  return {
    take: endpointId => {
      const count = running.get(endpointId) ?? 0;
      if (isFull(endpointId, count)) return undefined;
      running.set(endpointId, count + 1);
      return wentWell => end(endpointId, wentWell);
    },
    full: () => [...running].filter(([id, count]) => isFull(id, count)).map(([id]) => id),
  };
}
