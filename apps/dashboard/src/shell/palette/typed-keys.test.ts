import { expect, test } from 'vitest';
import { addKey, nothingTyped } from './typed-keys.ts';

test.each([
  [['w', 'e', ' ', 'b'], { text: 'we b', commands: [] }],
  [['é', '𝒳', 'Backspace'], { text: 'é', commands: [] }],
  [['Backspace', 'a'], { text: 'a', commands: [] }],
  [['a', 'ArrowDown', 'ArrowUp', 'Enter'], { text: 'a', commands: ['ArrowDown', 'ArrowUp', 'Enter'] }],
])('the keys %j are kept in their order', (keys, typed) => {
  expect(keys.reduce((so, key) => addKey(so, key) ?? so, nothingTyped)).toEqual(typed);
});

test.each(['Tab', 'F5', 'Shift', 'Dead', 'Process'])('the key %s is left to the browser', key => {
  expect(addKey(nothingTyped, key)).toBeUndefined();
});
