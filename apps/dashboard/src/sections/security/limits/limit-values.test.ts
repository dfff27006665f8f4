import { expect, test } from 'vitest';
import { readLimit } from './limit-values.ts';

test.each([
  ['', null],
  ['  ', null],
  [' 12 ', 12],
  ['1000000', 1_000_000],
  ['1000001', undefined],
  ['0', undefined],
  ['-3', undefined],
  ['1.5', undefined],
  ['many', undefined],
])('the text "%s" in the field of a limit is read as %s', (text, expected) => {
  expect(readLimit(text)).toBe(expected);
});
