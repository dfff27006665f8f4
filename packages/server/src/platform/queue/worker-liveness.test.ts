import { expect, test } from 'vitest';
import { createAbsences } from './worker-liveness.ts';

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
  const absent = createAbsences(6000);
  expect(looks.map(([missing, nowMs]) => absent(missing, nowMs))).toEqual(expected);
});
