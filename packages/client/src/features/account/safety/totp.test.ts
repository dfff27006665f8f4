import { TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTotpEnrolment, totpAt } from './totp.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

// RFC 6238 appendix B, the last six digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i s the code is %s', async (seconds, code) => {
  expect(await totpAt(new TextEncoder().encode('12345678901234567890'), Math.floor(seconds / 30))).toBe(code);
});

test('codes of an authenticator app are valid, with a tolerance of half a minute', async () => {
  vi.setSystemTime(1_752_000_000_000);
  const enrolment = createTotpEnrolment({ issuer: 'Shop & Co', account: 'ada@example.com' });
  expect(enrolment.secret).toHaveLength(20);
  const uri = new URL(enrolment.uri);
  expect(uri.searchParams.get('secret')).toBe(enrolment.secretText);
  expect(uri.searchParams.get('issuer')).toBe('Shop & Co');
  const app = new TOTP({ secret: enrolment.secretText, algorithm: 'SHA1', digits: 6, period: 30 });
  const at = (offsetMs: number) => app.generate({ timestamp: Date.now() + offsetMs });
  expect(await Promise.all([-30_000, 0, 30_000].map(offset => enrolment.isValid(at(offset))))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await enrolment.isValid(`${at(0).slice(0, 3)} ${at(0).slice(3)}`)).toBe(true);
  expect(await enrolment.isValid(at(90_000))).toBe(false);
  expect(await enrolment.isValid('')).toBe(false);
});

test('every enrolment has a new secret', () => {
  const texts = Array.from({ length: 100 }, () => createTotpEnrolment({ issuer: 'i', account: 'a' }).secretText);
  expect(new Set(texts).size).toBe(100);
  expect(texts.every(text => /^[A-Z2-7]{32}$/.test(text))).toBe(true);
});
