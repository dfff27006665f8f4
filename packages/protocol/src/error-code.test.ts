import { expect, test } from 'vitest';
import { hasCode } from './error-code.ts';
import { createError } from './errors.ts';

const error = createError('PASSWORD_TOO_SHORT', { min_length: 8 });

test('hasCode accepts an error with one of the given codes', () => {
  expect(hasCode(error, 'EMAIL_PASSWORD_MISMATCH', 'PASSWORD_TOO_SHORT')).toBe(true);
});

test('hasCode refuses an error whose parent is the given code', () => {
  expect(hasCode(error, 'PASSWORD_REQUIREMENTS_NOT_MET')).toBe(false);
});

test.each([
  undefined,
  null,
  'PASSWORD_TOO_SHORT',
  { errorCode: 'PASSWORD_TOO_SHORT' },
  new Error('PASSWORD_TOO_SHORT'),
])('hasCode refuses %j, which is not a known error', value => expect(hasCode(value, 'PASSWORD_TOO_SHORT')).toBe(false));
