/** Calls back in a later turn of the event loop, after those that wait already. */
export type LoopTurns = (callback: () => void) => void;

/**
 * Work that takes about a millisecond each, such as to copy half a megabyte: `perTurn` of it runs in a turn of the event
 * loop. Node would do it for all connections that are ready before it looks for other requests, and frees the memory of
 * closed connections only after them. Control 80.
 */
export function createLoopTurns(perTurn: number): LoopTurns {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(run);
  }

  function run(): void {
    isScheduled = false;
    for (const callback of waiting.splice(0, perTurn)) callback();
    schedule();
  }

  return callback => {
    waiting.push(callback);
    schedule();
  };
}
