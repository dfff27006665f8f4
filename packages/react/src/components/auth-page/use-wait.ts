import { useEffect, useState } from 'react';

/** `short` for 4 seconds, then `long`: the page says so. `over` after 10 seconds: the page shows a failure. */
type Stage = 'short' | 'long' | 'over';

const longAfterMs = 4000;
const overAfterMs = 10_000;

/** How long the page has been waiting for the server. */
export function useWait(isWaiting: boolean): { readonly stage: Stage; readonly restart: () => void } {
  const [stage, setStage] = useState<Stage>('short');
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round starts again
  useEffect(() => {
    setStage('short');
    if (!isWaiting) return;
    const timers = [setTimeout(() => setStage('long'), longAfterMs), setTimeout(() => setStage('over'), overAfterMs)];
    return () => timers.forEach(clearTimeout);
  }, [isWaiting, round]);

  return { stage, restart: () => setRound(now => now + 1) };
}
