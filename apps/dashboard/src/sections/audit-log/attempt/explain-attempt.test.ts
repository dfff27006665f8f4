import type { Json } from '@tessera/client';
import { expect, test } from 'vitest';
import { explainAttempt } from './explain-attempt.ts';

const attempt = (
  action: 'sign_in.failed' | 'sign_in.succeeded' | 'sign_in.refused' | 'limit.reached',
  userId: string | null,
  details: Json,
) => ({
  action,
  userId,
  address: '192.0.2.1',
  details,
});

test.each([
  [
    'a wrong password',
    attempt('sign_in.failed', 'u', { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' }),
    ['passed', 'passed', 'failed', 'skipped'],
  ],
  [
    'a password for an unknown address',
    attempt('sign_in.failed', null, { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' }),
    ['passed', 'failed', 'failed', 'skipped'],
  ],
  [
    'a code that does not say whose it is',
    attempt('sign_in.failed', null, { method: 'otp', reason: 'VERIFICATION_CODE_NOT_FOUND' }),
    ['passed', 'skipped', 'failed', 'skipped'],
  ],
  [
    'a request with a return address that is not trusted',
    attempt('sign_in.refused', null, {
      route: 'POST /auth/otp/send-sign-in-code',
      reason: 'REDIRECT_URL_NOT_WHITELISTED',
      redirect_origin: 'https://new.example',
    }),
    ['passed', 'failed', 'skipped'],
  ],
  [
    'a request that a rate limit refused',
    attempt('limit.reached', null, { limit: 'failedSignInsPerAccount' }),
    ['passed', 'failed', 'skipped', 'skipped'],
  ],
  [
    'a request that a rate limit of an account refused',
    attempt('limit.reached', 'u', { limit: 'failedSignInsPerAccount' }),
    ['passed', 'passed', 'failed', 'skipped'],
  ],
  [
    'a successful passkey',
    attempt('sign_in.succeeded', 'u', { method: 'passkey', is_new_user: false }),
    ['passed', 'passed', 'passed', 'passed'],
  ],
])('the steps of %s are explained', (_, event, states) => {
  expect(explainAttempt(event).map(({ state }) => state)).toEqual(states);
});

test('a failure without words is explained by its code, and a counted one says how often it happened', () => {
  const steps = explainAttempt(attempt('sign_in.failed', 'u', { method: 'github', reason: 'NEW_CODE', count: 29 }));
  expect(steps.map(({ text }) => text)).toEqual([
    'From 192.0.2.1.',
    'The attempt belongs to an account of this project.',
    'GitHub: refused with NEW_CODE.',
    'No session was created. The same failure happened 29 more times within 15 minutes.',
  ]);
});

test('a confirmation of a sensitive change is named as one', () => {
  const details = { method: 'reauthentication:password', reason: 'EMAIL_PASSWORD_MISMATCH' };
  const proof = explainAttempt(attempt('sign_in.failed', 'u', details)).find(({ state }) => state === 'failed');
  expect(proof?.text).toMatch(/^Password, to confirm a sensitive change/);
});

test.each([
  ['sign_in.refused', { reason: 'SIGN_UP_NOT_ENABLED' }, 'methods'],
  ['sign_in.refused', { reason: 'EMAIL_ADDRESS_NOT_ALLOWED' }, 'methods'],
  ['sign_in.failed', { method: 'github', reason: 'The provider refused.', cause: 'provider_client' }, 'methods'],
  ['sign_in.failed', { method: 'github', reason: 'Not trusted.', cause: 'redirect' }, 'domains'],
  ['sign_in.refused', { reason: 'Sign-in by email code is off.', cause: 'otp_disabled' }, 'methods'],
  ['sign_in.refused', { reason: 'Sign-in by email code is off.' }, undefined],
  ['limit.reached', { limit: 'signUpsPerAddress' }, 'limits'],
  ['sign_in.failed', { method: 'password', reason: 'EMAIL_PASSWORD_MISMATCH' }, undefined],
] as const)('the failure %s with %j leads to the setting %s', (action, details, mend) => {
  const failed = explainAttempt(attempt(action, 'u', details)).find(({ state }) => state === 'failed');
  expect(failed?.mend).toBe(mend);
});
