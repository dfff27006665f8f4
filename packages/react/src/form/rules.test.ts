import { expect, it } from 'vitest';
import { emailProblem } from './email-rule.ts';
import { newPasswordProblem, passwordProblem, repeatRule } from './password-rule.ts';

it.each([
  ['', 'invalid.emailMissing'],
  ['   ', 'invalid.emailMissing'],
  ['ada@example.com', undefined],
  [' ada@example.com ', undefined],
  ['Ada.Lovelace+notes@mail.example.co.uk', undefined],
  ['ada', 'invalid.email'],
  ['a@localhost', 'invalid.email'],
  ['a@gmail', 'invalid.email'],
  ['a@b.c', 'invalid.email'],
  ['.a@example.com', 'invalid.email'],
  ['a.@example.com', 'invalid.email'],
  ['a..b@example.com', 'invalid.email'],
  ['a b@example.com', 'invalid.email'],
  [`${'a'.repeat(320)}@example.com`, 'invalid.email'],
])('the address %j: %s', (typed, problem) => expect(emailProblem(typed)).toBe(problem));

it.each([
  ['', 'invalid.passwordMissing', 'invalid.passwordChoose'],
  ['1234567', undefined, 'error.PASSWORD_TOO_SHORT'],
  ['12345678', undefined, undefined],
  ['x'.repeat(70), undefined, undefined],
  ['x'.repeat(71), 'error.PASSWORD_TOO_LONG', 'error.PASSWORD_TOO_LONG'],
])('the password %j: %s at sign-in, %s when new', (password, atSignIn, whenNew) => {
  expect([passwordProblem(password), newPasswordProblem(password)]).toEqual([atSignIn, whenNew]);
});

it.each([
  ['a', '', 'invalid.repeatMissing'],
  ['a', 'b', 'invalid.repeatDiffers'],
  ['a', 'a', undefined],
])('%j repeated as %j: %s', (password, repeat, problem) => expect(repeatRule(repeat, { password })).toBe(problem));
