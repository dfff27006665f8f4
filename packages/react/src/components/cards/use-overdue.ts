import { useEffect, useState } from 'react';

/** Whether a page has been waiting for the server for longer than a time. Another `attempt` starts the wait again. */
export function useOverdue(isWaiting: boolean, afterMs: number, attempt = 0): boolean {
  const [isOverdue, setOverdue] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts the wait again
  useEffect(() => {
    setOverdue(false);
    if (!isWaiting) return;
    const timer = setTimeout(() => setOverdue(true), afterMs);
    return () => clearTimeout(timer);
  }, [isWaiting, afterMs, attempt]);

  return isOverdue;
}
