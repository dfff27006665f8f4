import { expect, test } from 'vitest';
import { deletionTimeOf } from './rules.ts';

const day = 24 * 3600 * 1000;

test.each([
  { days: 0, isAnonymous: false, expected: undefined },
  { days: 14, isAnonymous: false, expected: 1_000 + 14 * day },
  { days: 14, isAnonymous: true, expected: undefined },
])('an account is gone $days days after the request, and at once for 0 days or an anonymous user: %j', row => {
  expect(deletionTimeOf(row, { deletionCoolingOffDays: row.days }, 1_000)).toBe(row.expected);
});
