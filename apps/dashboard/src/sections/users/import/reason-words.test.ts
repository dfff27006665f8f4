import { expect, test } from 'vitest';
import { reasonWords } from './reason-words.ts';

test.each([
  ['primary_email: must be a valid email.', 'Email address: must be a valid email.'],
  [
    'primary_email_verified: Invalid input: expected boolean, received string.',
    'Email address verified: must be yes or no.',
  ],
  ['signed_up_at_millis: Invalid input: expected number, received string.', 'Time of sign-up: must be a date.'],
  ['signed_up_at_millis is in the future.', 'Time of sign-up is in the future.'],
  ['A user needs a name or an email address.', 'A user needs a name or an email address.'],
])('the reason %j is shown as %j', (reason, shown) => {
  expect(reasonWords(reason)).toBe(shown);
});
