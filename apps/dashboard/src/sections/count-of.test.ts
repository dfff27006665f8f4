import { expect, test } from 'vitest';
import { countOf } from './count-of.ts';

test.each([
  [0, '0 users'],
  [1, '1 user'],
  [1200, '1,200 users'],
])('the number %d has its noun: %s', (count, words) => {
  expect(countOf(count, 'user')).toBe(words);
});

test('a plural that does not end in s is given', () => {
  expect([1, 2].map(count => countOf(count, 'user is suspended', 'users are suspended'))).toEqual([
    '1 user is suspended',
    '2 users are suspended',
  ]);
});
