import { expect, test } from 'vitest';
import { signsInByCode } from './email-code.ts';

test.each([
  ['on', true],
  ['first_use', true],
  ['unverified', false],
  ['refused', false],
  ['no_address', false],
] as const)(
  'a user whose email code is %s signs in by code: %s, and never when the project has codes off',
  (state, is) => {
    expect(signsInByCode(state, { magicLinkEnabled: true })).toBe(is);
    expect(signsInByCode(state, { magicLinkEnabled: false })).toBe(false);
  },
);
