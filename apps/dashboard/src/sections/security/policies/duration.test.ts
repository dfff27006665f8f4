import { expect, test } from 'vitest';
import { choicesWith, dayMs, durationWords, hourMs, minuteMs } from './duration.ts';

test.each([
  [minuteMs, '1 minute'],
  [90 * minuteMs, '90 minutes'],
  [hourMs, '1 hour'],
  [36 * hourMs, '36 hours'],
  [365 * dayMs, '365 days'],
  [90_000, '1.5 minutes'],
])('%i milliseconds are shown as %s', (millis, expected) => {
  expect(durationWords(millis)).toBe(expected);
});

test.each([
  ['no value', null, [1, 5]],
  ['a listed value', 5, [1, 5]],
  ['a value that was set elsewhere', 3, [1, 3, 5]],
])('the choices of a setting with %s are complete and in order', (_, current, expected) => {
  expect(choicesWith([1, 5], current)).toEqual(expected);
});
