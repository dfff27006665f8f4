import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from './endpoint-concurrency.ts';

test('an endpoint gets four concurrent requests, a failing one gets one', () => {
  const turns = createConcurrencyLimiter();
  const ends = [1, 2, 3].map(() => turns.take('a'));
  turns.take('b');
  expect(turns.full()).toEqual([]);
  ends.push(turns.take('a'));
  expect([turns.full(), turns.take('a')]).toEqual([['a'], undefined]);
  ends[0]?.(true);
  expect(turns.full()).toEqual([]);
  ends[1]?.(false);
  expect(turns.full()).toEqual(['a']);
  ends[2]?.(false);
  ends[3]?.(undefined);
  expect(turns.full()).toEqual([]);
  const retry = turns.take('a');
  expect(turns.full()).toEqual(['a']);
  retry?.(true);
  turns.take('a');
  expect(turns.full()).toEqual([]);
});
