import { expect, test } from 'vitest';
import { createMissingTracker } from './worker-liveness.ts';

test.each<[string, [missing: string[], nowMs: number][], string[][]]>([
  ['is not gone at the first look', [[['a'], 0]], [[]]],
  [
    'is gone when it stays missing',
    [
      [['a'], 0],
      [['a'], 3000],
      [['a'], 6000],
      [['a'], 9000],
    ],
    [[], [], ['a'], ['a']],
  ],
  [
    'is there again when it comes back',
    [
      [['a'], 0],
      [[], 3000],
      [['a'], 6000],
      [['a'], 9000],
    ],
    [[], [], [], []],
  ],
  [
    'is not gone because another one is',
    [
      [['a'], 0],
      [['a', 'b'], 6000],
    ],
    [[], ['a']],
  ],
])('a worker that is missing %s', (_, looks, expected) => {
  const findGone = createMissingTracker(6000);
  expect(looks.map(([missing, nowMs]) => findGone(missing, nowMs))).toEqual(expected);
});
