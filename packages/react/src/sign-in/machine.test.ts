import { KnownErrors, RequestError } from '@tessera/client';
import { expect, test } from 'vitest';
import { known } from '../test/sign-in-page.ts';
import {
  isOpen,
  moveTo,
  nextStep,
  problemOf,
  type SignInEvent,
  type SignInStep,
  secondFactorOf,
  start,
} from './machine.ts';

const idle = { pending: undefined, problem: undefined };
const code: SignInStep = { step: 'code', email: 'a@b.example', nonce: 'n', sentAtMillis: 1, ...idle };
const factor: SignInStep = { step: 'second-factor', attemptCode: 'att', isOver: false, ...idle };
const reset: SignInStep = { step: 'password-reset', email: 'a@b.example', sentAtMillis: 2, ...idle };
const verification: SignInStep = { step: 'verification', email: 'a@b.example', nonce: 'n', sentAtMillis: 3, ...idle };
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
    moveTo({ step: 'code', email: 'a@b.example', nonce: 'n', sentAtMillis: 1 }),
    code,
  ],
  [
    'an email to reset the password was sent',
    start,
    moveTo({ step: 'password-reset', email: 'a@b.example', sentAtMillis: 2 }),
    reset,
  ],
  ['a second factor is needed after a password', { ...start, ...busy }, secondFactorOf('att'), factor],
  [
    'a sign-up is followed by the code of the verification email',
    { ...start, ...busy },
    moveTo({ step: 'verification', email: 'a@b.example', nonce: 'n', sentAtMillis: 3 }),
    verification,
  ],
  [
    'a refused code of the verification email keeps the step',
    verification,
    { type: 'failure', action: 'verification', error: expired },
    { ...verification, problem: { action: 'verification', error: expired, field: 'code' } },
  ],
  ['a second factor is needed after a code', code, secondFactorOf('att'), factor],
  ['a code signs in', code, moveTo({ step: 'complete' }), complete],
  ['a second factor signs in', factor, moveTo({ step: 'complete' }), complete],
  ['the visitor returns from a provider', { ...start, ...busy }, { type: 'cancel' }, start],
  ['the visitor leaves the code', code, moveTo({ step: 'start' }), start],
  ['the visitor leaves the second factor', factor, moveTo({ step: 'start' }), start],
  [
    'a late failure changes nothing after sign-in',
    complete,
    { type: 'failure', action: 'passkey', error: mismatch },
    complete,
  ],
  ['a late second factor changes nothing after sign-in', complete, secondFactorOf('att'), complete],
  ['the visitor returns to a page that has signed in', complete, { type: 'cancel' }, complete],
  ['an action begins after sign-in', complete, { type: 'begin', action: 'password' }, { ...start, ...busy }],
  ['the visitor starts over after sign-in', complete, moveTo({ step: 'start' }), start],
  ['the visitor signs out after sign-in', complete, { type: 'sign-out' }, start],
  ['a sign-out keeps the step of a sign-in that has begun', factor, { type: 'sign-out' }, factor],
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
  ['password', 'EMAIL_ADDRESS_NOT_ALLOWED', 'email'],
  ['send-code', 'EMAIL_ADDRESS_NOT_ALLOWED', 'email'],
  ['change-email', 'EMAIL_ADDRESS_NOT_ALLOWED', 'email'],
  ['send-code', 'SIGN_UP_NOT_ENABLED', 'email'],
  ['send-code', 'USER_EMAIL_ALREADY_EXISTS', 'email'],
  ['code', 'VERIFICATION_CODE_NOT_FOUND', 'code'],
  ['code', 'VERIFICATION_CODE_ALREADY_USED', 'code'],
  ['second-factor', 'INVALID_TOTP_CODE', 'code'],
  ['second-factor', 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', 'code'],
  ['verification', 'VERIFICATION_CODE_NOT_FOUND', 'code'],
  ['resend', 'EMAIL_ALREADY_VERIFIED', undefined],
  ['passkey', 'PASSKEY_AUTHENTICATION_FAILED', undefined],
  ['provider', 'OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED', undefined],
] as const)('action %s, error %s: shown at %s', (action, errorCode, field) => {
  expect(problemOf(action, known(errorCode)).field).toBe(field);
});

test.each<[name: string, step: SignInStep, expected: boolean]>([
  ['the first step', start, false],
  ['an action', { ...start, ...busy }, true],
  ['the code of a verification email', verification, true],
  ['the end', complete, false],
])('%s: whether the page of a signed-in visitor has something to do', (_, step, expected) => {
  expect(isOpen(step)).toBe(expected);
});

test('a password that does not meet the requirements is shown at the password', () => {
  const error = new KnownErrors.PasswordTooShort(8);
  expect(problemOf('password', error)).toEqual({ action: 'password', error, field: 'password' });
});
