import { expect, test } from 'vitest';
import { words } from './words.ts';

test('the chart of a server in its first month names one month', () => {
  expect(words.monthChart(3, 1)).toBe('Active users per month: 3 this month, 1 month shown');
  expect(words.monthChart(3, 12)).toBe('Active users per month: 3 this month, 12 months shown');
});
