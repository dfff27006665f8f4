import { format } from 'node:util';
import type { Log } from './log.ts';
import { createThrottledLog } from './throttled-log.ts';

const methods = ['error', 'trace', 'warn'] as const;

/**
 * Sends what libraries write to the console through our log, at most one line a second. graphile-worker prints a stack
 * for each worker whose connection breaks (`console.trace`, 0.17.3), which would flood stderr during an outage. Our own
 * code never uses the console.
 *
 * @returns restores the console
 */
export function logLibraryOutput(log: Log): () => void {
  const write = createThrottledLog(log, 'a library reported a failure');
  const output = globalThis.console;
  const replaced = methods.map(name => [name, output[name]] as const);
  for (const name of methods) output[name] = (...args: unknown[]) => write(failureOf(args));
  return () => {
    for (const [name, original] of replaced) output[name] = original;
  };
}

function failureOf(args: readonly unknown[]): Error {
  return args.find(arg => arg instanceof Error) ?? new Error(format(...args));
}
