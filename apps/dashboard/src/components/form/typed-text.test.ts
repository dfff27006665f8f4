import { expect, test } from 'vitest';
import { isTyped, textToType } from './typed-text.ts';

test.each([
  ['Ada', 'Ada'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), 'x'.repeat(20)],
  [`${'👍'.repeat(61)}`, '👍'.repeat(20)],
  [`${'x'.repeat(19)} ${'y'.repeat(60)}`, 'x'.repeat(19)],
  [' Ada  Lovelace ', 'Ada Lovelace'],
  ['\u202eecilA', 'ecilA'],
  ['\u200b', 'delete'],
  ['', 'delete'],
])('for the name %j the text to type is %j', (name, asked) => {
  expect(textToType(name)).toBe(asked);
});

test.each([
  ['Ada Lovelace', true],
  [' Ada   Lovelace ', true],
  ['ada lovelace', false],
  ['Ada', false],
  ['', false],
])('the typed text %j confirms "Ada  Lovelace": %s', (typed, isConfirmed) => {
  expect(isTyped(typed, 'Ada  Lovelace')).toBe(isConfirmed);
});
