import { expect, test } from 'vitest';
import { parseRetryAfter } from './failed-response.ts';
import { retryDelayMs } from './retry.ts';

test.each([
  [0, 0, 500],
  [0, 0.5, 1000],
  [1, 0.5, 2000],
  [2, 0.5, 4000],
  [3, 0.5, 8000],
  [3, 0.999, 11_992],
])('after failed attempt %i with random %d it waits %d ms', (attempt, random, delayMs) => {
  expect(retryDelayMs(attempt, random)).toBe(delayMs);
});

test('control 45: the jittered pause is added to the Retry-After pause', () => {
  expect(retryDelayMs(0, 0, 7000)).toBe(7500);
  expect(retryDelayMs(0, 0.9, 7000)).toBe(8400);
});

const now = Date.UTC(2025, 6, 15, 12, 0, 0);

test.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['7', 7000],
  [' 7 ', 7000],
  ['Tue, 15 Jul 2025 12:00:09 GMT', 9000],
  ['Tue, 15 Jul 2025 11:00:00 GMT', 0],
])('control 45: Retry-After %j asks to wait %s ms', (header, delayMs) => {
  expect(parseRetryAfter(header, now)).toBe(delayMs);
});
