import { setTimeout as sleep } from 'node:timers/promises';

const defaultPatienceMs = 60_000;
const pauseMs = 25;

/**
 * Polls until there is a result, and returns it.
 *
 * @throws after `patienceMs`, with the name of the missing condition
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  patienceMs = defaultPatienceMs,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`gave up after ${patienceMs} ms: ${what}`);
    await sleep(pauseMs);
  }
}
