import { vi } from 'vitest';

const stepMs = 1000;
const longestMs = 120_000;

// The real one, before any test fakes it.
const { setImmediate } = globalThis;

/** Lets the set clock run until the promise has settled. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let passedMs = 0; !isSettled && passedMs < longestMs; passedMs += stepMs) {
    await new Promise(resolve => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(stepMs);
  }
  return promise;
}
