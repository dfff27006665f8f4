import { useEffect, useRef } from 'react';

/** Runs an effect once in the life of the component, when it is due: React may run other effects twice. */
export function useOnce(isDue: boolean, run: () => void): void {
  const hasRun = useRef(false);

  useEffect(() => {
    if (!isDue || hasRun.current) return;
    hasRun.current = true;
    run();
  });
}
