import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logLibraryOutput } from './library-output.ts';
import { createLog } from './log.ts';

/** What a library calls. */
const library = globalThis.console;

let lines: string[];
let restore: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  restore = logLibraryOutput(createLog({ level: 'info', destination: { write: line => void lines.push(line) } }));
});
afterEach(() => {
  restore();
  vi.useRealTimers();
});

const entries = () =>
  lines.map(line => {
    const { time: _, ...entry } = JSON.parse(line);
    return entry;
  });

test('a stack that a library prints is one log line with the message of the error', () => {
  library.trace(Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' }));
  expect(entries()).toEqual([
    {
      level: 'warn',
      count: 1,
      reason: 'Connection terminated unexpectedly',
      errorCode: 'ECONNRESET',
      msg: 'a library reported a failure',
    },
  ]);
});

test('a hundred stacks within a second are one further line with their number', () => {
  for (let count = 0; count < 101; count++) library.trace(new Error('Connection terminated'));
  vi.advanceTimersByTime(1_000);
  expect(entries().map(({ count }) => count)).toEqual([1, 100]);
});

test('text that a library prints is formatted as the console does', () => {
  library.error('%s: attempt %d failed', 'completeJobs', 2);
  expect(entries()).toMatchObject([{ reason: 'completeJobs: attempt 2 failed' }]);
});

test('the console writes again after it is restored', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  restore();
  library.error('visible');
  expect(lines).toEqual([]);
  written.mockRestore();
});
