import { expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

function takeAll(queue: FairQueue<string>): string[] {
  return Array.from({ length: queue.size() }, () => queue.shift() ?? '');
}

test('owners are served in turn, each in its order', () => {
  const queue = createFairQueue<string>(10);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.shift()).toBeUndefined();
});

test('a full queue refuses the item of the longest owner', () => {
  const queue = createFairQueue<string>(3);
  for (const item of ['a1', 'a2', 'b1']) expect(queue.push(item.charAt(0), item)).toBeUndefined();
  expect(queue.push('a', 'a3')).toBe('a3');
});

test('an owner with fewer items displaces the last item of the longest owner', () => {
  const queue = createFairQueue<string>(3);
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  expect(queue.push('b', 'b1')).toBe('a3');
  expect(queue.push('b', 'b2')).toBe('b2');
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2']);
});

test('the only item of an owner is not displaced', () => {
  const queue = createFairQueue<string>(2);
  queue.push('a', 'a1');
  queue.push('b', 'b1');
  expect(queue.push('c', 'c1')).toBe('c1');
});
