import { expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** A queue of items of 100 ms, on a clock that the test sets. */
function openQueue(maxSize: number) {
  let nowMs = 0;
  const queue = createFairQueue<string>({ maxSize, expectedMs: 100, nowMs: () => nowMs });
  function run(owner: string, tookMs = 0): string {
    const end = queue.begin(owner);
    nowMs += tookMs;
    end();
    return owner;
  }
  function runNext(tookMs: Readonly<Record<string, number>>): string {
    const owner = queue.shift() ?? '';
    return run(owner, tookMs[owner]);
  }
  return { queue, run, runNext };
}

function takeAll(queue: FairQueue<string>): string[] {
  return Array.from({ length: queue.size() }, () => queue.shift() ?? '');
}

test('owners are served in turn, each in its order', () => {
  const queue = openQueue(10).queue;
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.shift()).toBeUndefined();
});

test('a full queue refuses the item of the longest owner', () => {
  const queue = openQueue(3).queue;
  for (const item of ['a1', 'a2', 'b1']) expect(queue.push(item.charAt(0), item)).toBeUndefined();
  expect(queue.push('a', 'a3')).toBe('a3');
});

test('an owner with fewer items displaces the last item of the longest owner', () => {
  const queue = openQueue(3).queue;
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  expect(queue.push('b', 'b1')).toBe('a3');
  expect(queue.push('b', 'b2')).toBe('b2');
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'a2']);
});

test('the only item of an owner is not displaced', () => {
  const queue = openQueue(2).queue;
  queue.push('a', 'a1');
  queue.push('b', 'b1');
  expect(queue.push('c', 'c1')).toBe('c1');
});

test('owners take turns by the time that their items take', () => {
  const { queue, runNext } = openQueue(20);
  for (let count = 0; count < 6; count++) for (const owner of ['slow', 'fast']) queue.push(owner, owner);
  const order = Array.from({ length: 8 }, () => runNext({ slow: 500, fast: 100 }));
  expect(order).toEqual(['slow', 'fast', 'fast', 'fast', 'fast', 'fast', 'fast', 'slow']);
});

test('work that ran while no other work was waiting does not delay the next work of its owner', () => {
  const { queue, runNext, run } = openQueue(20);
  for (let count = 0; count < 100; count++) run('busy', 100);
  for (let count = 0; count < 3; count++) for (const owner of ['busy', 'new']) queue.push(owner, owner);
  const order = Array.from({ length: 6 }, () => runNext({ busy: 100, new: 100 }));
  expect(order.slice(0, 3)).toContain('busy');
});

test('an owner whose work ended before others came is served like them', () => {
  const { queue, runNext, run } = openQueue(20);
  run('shop', 80);
  for (const owner of ['new', 'shop']) queue.push(owner, owner);
  expect(runNext({ shop: 80, new: 100 })).toBe('shop');
});

test('an owner with short work displaces the only item of one of many owners with long work, and is next', () => {
  const { queue, runNext, run } = openQueue(20);
  const many = Array.from({ length: 25 }, (_, index) => `many ${index}`);
  const tookMs = { ...Object.fromEntries(many.map(owner => [owner, 600])), shop: 10 };
  // Each of the many has had a first turn.
  for (const owner of many) run(owner, 600);
  for (let round = 0; round < 100; round++) {
    for (const owner of many) queue.push(owner, owner);
    expect(queue.push('shop', 'shop')).toMatch('many');
    expect(runNext(tookMs)).toBe('shop');
    expect(runNext(tookMs)).toMatch('many');
  }
});
