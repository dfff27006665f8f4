import { expect, test } from 'vitest';
import { createWords } from './create-words.ts';
import { initialUser, newUserOptions, newUserProblems } from './new-user.ts';

test.each([
  [{ email: 'ada@example.com' }, {}],
  [{ displayName: 'Ada' }, {}],
  [{ email: 'ada@example.com', password: 'correct horse' }, {}],
  [{}, { email: createWords.needsOne }],
  [{ displayName: ' ' }, { email: createWords.needsOne }],
  [{ email: 'ada' }, { email: 'Enter an email address, such as ada@example.com.' }],
  [{ displayName: 'Ada', password: 'correct horse' }, { email: createWords.passwordNeedsEmail }],
])('a new user with %j has the problems %j', (values, problems) => {
  expect(newUserProblems({ ...initialUser, ...values })).toEqual(problems);
});

test('the address of a new user is verified and signs in by default, so that the user can sign in by email code', () => {
  expect(newUserOptions({ ...initialUser, email: ' ada@example.com ' }, { magicLinkEnabled: true })).toEqual({
    primaryEmail: 'ada@example.com',
    primaryEmailVerified: true,
    primaryEmailAuthEnabled: true,
    otpAuthEnabled: true,
  });
});

test('a new user without an address has nothing that is verified', () => {
  expect(newUserOptions({ ...initialUser, displayName: 'Ada' }, { magicLinkEnabled: true })).toEqual({
    displayName: 'Ada',
  });
});

test.each([
  ['an address that is not verified', { isVerified: false }, true],
  ['a project without email codes', { isVerified: true }, false],
])('a new user has no email codes with %s', (_, values, magicLinkEnabled) => {
  const options = newUserOptions({ ...initialUser, email: 'ada@example.com', ...values }, { magicLinkEnabled });
  expect(options.otpAuthEnabled).toBeUndefined();
});
