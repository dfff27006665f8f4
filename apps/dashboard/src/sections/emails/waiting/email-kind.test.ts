import { expect, test } from 'vitest';
import { emailKind } from './email-kind.ts';

test.each([
  ['magic_link', 'Sign in by code or link'],
  ['broadcast', 'Message to users'],
  ['totp_switched_on', 'Authenticator app switched on'],
  ['password_changed', 'Password changed'],
  ['constructor', 'Constructor'],
])('an email of the template %s is called "%s"', (template, name) => {
  expect(emailKind(template)).toBe(name);
});
