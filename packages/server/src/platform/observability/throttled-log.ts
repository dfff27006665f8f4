import type { Log } from './log.ts';

const everyMs = 1_000;

/**
 * Reports a failure that may come with every request: the first one at once, then one line a second with the number of
 * failures, instead of a line with a stack for each.
 */
export function createThrottledLog(log: Log, message: string): (error: Error) => void {
  let isTold = false;
  let count = 0;
  let last: Error | undefined;

  function tell(): void {
    if (last === undefined) {
      isTold = false;
      return;
    }
    log.warn({ count, ...reasonOf(last) }, message);
    last = undefined;
    count = 0;
    isTold = true;
    setTimeout(tell, everyMs).unref();
  }

  return error => {
    last = error;
    count++;
    if (!isTold) tell();
  };
}

/** The innermost cause; a network error may have several. */
function reasonOf(error: Error): { reason: string; errorCode?: string } {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return reasonOf(error.errors[0]);
  return { reason: error.message, ...('code' in error ? { errorCode: String(error.code) } : undefined) };
}
