import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from './endpoint-concurrency.ts';

test('an endpoint gets four concurrent requests, a failing one gets one', () => {
  const limiter = createConcurrencyLimiter();
  const ends = [1, 2, 3].map(() => limiter.take('a'));
  limiter.take('b');
  expect(limiter.full()).toEqual([]);
  ends.push(limiter.take('a'));
  expect([limiter.full(), limiter.take('a')]).toEqual([['a'], undefined]);
  ends[0]?.(true);
  expect(limiter.full()).toEqual([]);
  ends[1]?.(false);
  expect(limiter.full()).toEqual(['a']);
  ends[2]?.(false);
  ends[3]?.(undefined);
  expect(limiter.full()).toEqual([]);
  const retry = limiter.take('a');
  expect(limiter.full()).toEqual(['a']);
  retry?.(true);
  limiter.take('a');
  expect(limiter.full()).toEqual([]);
});
