import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseAway } from '../database/database.ts';
import { createLog } from './log.ts';
import { createThrottledLog } from './throttled-log.ts';

let lines: string[];
let report: (error: Error) => void;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  report = createThrottledLog(
    createLog({ level: 'info', destination: { write: line => void lines.push(line) } }),
    'the database is not available',
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const failure = () =>
  new DatabaseAway('the database is away', {
    cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  });
const counts = () => lines.map(line => JSON.parse(line).count);

test('the first failure is logged at once, with its cause and without a stack', () => {
  report(failure());
  const { time: _, ...line } = JSON.parse(lines[0] ?? '');
  expect(line).toEqual({
    level: 'warn',
    count: 1,
    reason: 'connect ECONNREFUSED',
    errorCode: 'ECONNREFUSED',
    msg: 'the database is not available',
  });
});

test('a thousand failures within a second are one further line with their number', () => {
  for (let failures = 0; failures < 1_001; failures++) report(failure());
  vi.advanceTimersByTime(999);
  expect(counts()).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(counts()).toEqual([1, 1_000]);
});

test('a second without failures logs nothing, and the next failure is logged at once', () => {
  report(failure());
  vi.advanceTimersByTime(5_000);
  expect(counts()).toEqual([1]);
  report(failure());
  expect(counts()).toEqual([1, 1]);
});
