import { KnownErrors, RequestError } from '@tessera/client';
import { expect, test } from 'vitest';
import { known } from '../test/sign-in-page.ts';
import { nextStep, problemOf, type SignInEvent, type SignInStep, start } from './machine.ts';

const idle = { pending: undefined, problem: undefined };
const code: SignInStep = { step: 'code', email: 'a@b.example', nonce: 'n', sentAtMillis: 1, ...idle };
const factor: SignInStep = { step: 'second-factor', attemptCode: 'att', isOver: false, ...idle };
const reset: SignInStep = { step: 'password-reset', email: 'a@b.example', sentAtMillis: 2, ...idle };
const complete: SignInStep = { step: 'complete', ...idle };
const mismatch = known('EMAIL_PASSWORD_MISMATCH');
const wrongTotp = known('INVALID_TOTP_CODE');
const expired = known('VERIFICATION_CODE_EXPIRED');
const unreachable = new RequestError('unreachable', 'no');
const busy = { pending: { action: 'password', provider: undefined } } as const;
const failed = { problem: { action: 'password', error: mismatch, field: 'password' } } as const;

test.each<[name: string, from: SignInStep, event: SignInEvent, to: SignInStep]>([
  ['an action begins', start, { type: 'begin', action: 'password' }, { ...start, ...busy }],
  [
    'a new action clears the problem',
    { ...start, ...failed },
    { type: 'begin', action: 'password' },
    { ...start, ...busy },
  ],
  [
    'a refusal keeps the step',
    { ...start, ...busy },
    { type: 'failure', action: 'password', error: mismatch },
    { ...start, ...failed },
  ],
  [
    'an email with a code was sent',
    { ...start, ...busy },
    { type: 'code-sent', email: 'a@b.example', nonce: 'n', sentAtMillis: 1 },
    code,
  ],
  [
    'an email to reset the password was sent',
    start,
    { type: 'reset-sent', email: 'a@b.example', sentAtMillis: 2 },
    reset,
  ],
  [
    'a second factor is needed after a password',
    { ...start, ...busy },
    { type: 'second-factor', attemptCode: 'att' },
    factor,
  ],
  ['a second factor is needed after a code', code, { type: 'second-factor', attemptCode: 'att' }, factor],
  ['a code signs in', code, { type: 'success' }, complete],
  ['a second factor signs in', factor, { type: 'success' }, complete],
  ['the visitor returns from a provider', { ...start, ...busy }, { type: 'cancel' }, start],
  ['the visitor leaves the code', code, { type: 'start-over' }, start],
  ['the visitor leaves the second factor', factor, { type: 'start-over' }, start],
  [
    'a late failure changes nothing after sign-in',
    complete,
    { type: 'failure', action: 'passkey', error: mismatch },
    complete,
  ],
])('%s', (_, from, event, to) => {
  expect(nextStep(from, event)).toEqual(to);
});

test.each([
  ['a wrong code of the app', wrongTotp, false],
  ['a wrong recovery code', known('INVALID_RECOVERY_CODE'), false],
  ['no response', unreachable, false],
  ['an expired attempt', expired, true],
  ['any other error', new Error('?'), true],
])('%s: whether the attempt of a second factor is over', (_, error, isOver) => {
  expect(nextStep(factor, { type: 'failure', action: 'second-factor', error })).toMatchObject({
    step: 'second-factor',
    isOver,
  });
});

test.each([
  ['password', 'EMAIL_PASSWORD_MISMATCH', 'password'],
  ['password', 'INVALID_TOTP_CODE', 'password'],
  ['password', 'USER_EMAIL_ALREADY_EXISTS', 'email'],
  ['password', 'PASSWORD_AUTHENTICATION_NOT_ENABLED', undefined],
  ['send-code', 'SIGN_UP_NOT_ENABLED', 'email'],
  ['send-code', 'USER_EMAIL_ALREADY_EXISTS', 'email'],
  ['code', 'VERIFICATION_CODE_NOT_FOUND', 'code'],
  ['code', 'VERIFICATION_CODE_ALREADY_USED', 'code'],
  ['second-factor', 'INVALID_TOTP_CODE', 'code'],
  ['second-factor', 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', 'code'],
  ['passkey', 'PASSKEY_AUTHENTICATION_FAILED', undefined],
  ['provider', 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', undefined],
] as const)('action %s, error %s: shown at %s', (action, errorCode, field) => {
  expect(problemOf(action, known(errorCode)).field).toBe(field);
});

test('a password that does not meet the requirements is shown at the password', () => {
  const error = new KnownErrors.PasswordTooShort(8);
  expect(problemOf('password', error)).toEqual({ action: 'password', error, field: 'password' });
});
