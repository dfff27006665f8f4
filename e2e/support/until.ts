import { setTimeout as sleep } from 'node:timers/promises';

const defaultPatienceMs = 60_000;
const pauseMs = 25;

/**
 * Asks again and again until the answer is something, and gives it back.
 *
 * @throws when it takes longer than `patienceMs`, saying what was waited for
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
    if (performance.now() > deadline) throw new Error(`waited ${patienceMs} ms in vain: ${what}`);
    await sleep(pauseMs);
  }
}
