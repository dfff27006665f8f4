import { setFlagsFromString } from 'node:v8';
import type { Log } from '../platform/observability/log.ts';
import { describeStartFailure } from '../platform/start-failure.ts';

/**
 * The growth of the heap, in percent of the live data, that triggers a full garbage collection. By default V8 lets the
 * heap triple on a machine with enough memory; the live data are 30 MB, so an earlier collection costs little.
 */
const heapGrowingPercent = 25;

/** The signals that ask a process to stop: Ctrl-C, a service manager, and a terminal that is closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Lets V8 collect garbage earlier than by default, in a process that serves requests. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
}

/** Reports why the server could not start, and ends the process. */
export function exitAfterFailure(error: unknown, log: Log): never {
  const sentence = describeStartFailure(error);
  if (sentence !== undefined) exitWithMessage(sentence);
  log.fatal({ error }, 'the server could not start');
  process.exit(1);
}

export function exitWithMessage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
