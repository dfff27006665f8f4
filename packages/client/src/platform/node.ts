import type { Platform } from './platform.ts';

/** Node, workers, and everything else that is not a page. */
export function node(): Platform {
  return {
    fetch: (...request) => fetch(...request),
    now: () => Date.now(),
    random: () => Math.random(),
    wait: delayMs => new Promise(resolve => setTimeout(resolve, delayMs)),
    isOnline: () => globalThis.navigator?.onLine,
    // biome-ignore lint/suspicious/noConsole: the console is where programmers look
    warn: message => console.warn(message),
    // biome-ignore lint/suspicious/noConsole: a terminal has no other place
    print: message => console.log(message),
    page: undefined,
  };
}
