import { expect, test } from 'vitest';
import { readableCursor } from './rules.ts';

test.each(['740:745:', '740:740:', '740:745:740', '740:745:741,743', '1:999999999999999999:'])(
  'the cursor %s is a snapshot',
  text => {
    expect(readableCursor(text)).toBe(text);
  },
);

test.each([
  undefined,
  '',
  '0:5:',
  '745:740:',
  '740:745:739',
  '740:745:745',
  '740:745:743,741',
  '740:745:741,741',
  '740:745:741,',
  '740:9999999999999999999:',
])('the cursor %s is unknown', text => {
  expect(readableCursor(text)).toBeUndefined();
});
