import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { node } from '../platform/node.ts';
import { coalesce, pageGapMs } from './coalesce.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A slow function and the times of its starts. */
function make(durationMs: number, gapMs = pageGapMs) {
  const begin = Date.now();
  const starts: number[] = [];
  const run = coalesce(
    async () => {
      const number = starts.push(Date.now() - begin);
      await new Promise(resolve => setTimeout(resolve, durationMs));
      return number;
    },
    node(),
    gapMs,
  );
  return { run, starts };
}

test('concurrent calls share one run', async () => {
  const { run, starts } = make(50);
  const all = Promise.all([run(), run(), run()]);
  await vi.advanceTimersByTimeAsync(50);
  expect(await all).toEqual([1, 1, 1]);
  expect(starts).toEqual([0]);
});

test('a call during a run waits for the next run, which starts at least 300 ms after the previous start', async () => {
  const { run, starts } = make(50);
  const first = run();
  await vi.advanceTimersByTimeAsync(10);
  const later = [run(), run()];
  await vi.advanceTimersByTimeAsync(1000);
  expect([await first, ...(await Promise.all(later))]).toEqual([1, 2, 2]);
  expect(starts).toEqual([0, 300]);
});

test('a function that takes longer than the gap never runs twice at a time', async () => {
  const { run, starts } = make(1000);
  void run();
  await vi.advanceTimersByTimeAsync(10);
  void run();
  await vi.advanceTimersByTimeAsync(3000);
  expect(starts).toEqual([0, 1000]);
});

test('a failed run does not stop the next run', async () => {
  const outcomes = [Promise.reject(new Error('first')), Promise.resolve('second')];
  const run = coalesce(() => outcomes.shift() ?? Promise.reject(new Error('too many')), node(), pageGapMs);
  await expect(run()).rejects.toThrow('first');
  const second = run();
  await vi.advanceTimersByTimeAsync(300);
  expect(await second).toBe('second');
});

test('without a gap, a call during a run waits only for the end of the run', async () => {
  const { run, starts } = make(50, 0);
  const first = run();
  await vi.advanceTimersByTimeAsync(10);
  const second = run();
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all([first, second]);
  expect(starts).toEqual([0, 50]);
});
