/** Limits concurrent requests per endpoint in this process, so that a slow endpoint does not delay the others. */
export interface ConcurrencyLimiter {
  /** @returns a function that releases the slot and takes the outcome, if any; undefined when no slot is free */
  take(endpointId: string): ((isAccepted: boolean | undefined) => void) | undefined;
  /** The endpoints without a free slot. */
  full(): string[];
}

const atOnce = 4;
/** For an endpoint whose last response was not a success. */
const atOnceFailing = 1;

export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const running = new Map<string, number>();
  const failing = new Set<string>();

  const isFull = (id: string, count: number) => count >= (failing.has(id) ? atOnceFailing : atOnce);

  function release(endpointId: string, isAccepted: boolean | undefined): void {
    const left = (running.get(endpointId) ?? 0) - 1;
    if (left > 0) running.set(endpointId, left);
    else running.delete(endpointId);
    if (isAccepted === true) failing.delete(endpointId);
    if (isAccepted === false) failing.add(endpointId);
  }

  return {
    take: endpointId => {
      const count = running.get(endpointId) ?? 0;
      if (isFull(endpointId, count)) return undefined;
      running.set(endpointId, count + 1);
      return isAccepted => release(endpointId, isAccepted);
    },
    full: () => [...running].filter(([id, count]) => isFull(id, count)).map(([id]) => id),
  };
}
