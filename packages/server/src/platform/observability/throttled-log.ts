import type { Log } from './log.ts';

const everyMs = 1_000;

/**
 * Reports a failure that may come with every request: the first one at once, then one line a second with the number of
 * failures, instead of a line with a stack for each.
 */
export function createThrottledLog(log: Log, message: string): (error: Error) => void {
  let isWaiting = false;
  let count = 0;
  let last: Error | undefined;

  function logCount(): void {
    if (last === undefined) {
      isWaiting = false;
      return;
    }
    log.warn({ count, ...reasonOf(last) }, message);
    last = undefined;
    count = 0;
    isWaiting = true;
    setTimeout(logCount, everyMs).unref();
  }

  return error => {
    last = error;
    count++;
    if (!isWaiting) logCount();
  };
}

/** The innermost cause; a network error may have several. */
function reasonOf(error: Error): { reason: string; errorCode?: string } {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return reasonOf(error.errors[0]);
  return { reason: error.message, ...('code' in error ? { errorCode: String(error.code) } : undefined) };
}
