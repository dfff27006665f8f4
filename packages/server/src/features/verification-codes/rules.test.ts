import { expect, test } from 'vitest';
import { assertUsable, type CodeState, linkWithCode } from './rules.ts';

test.each([
  ['https://a.example', 'https://a.example/?code=c0de'],
  ['https://a.example/verify', 'https://a.example/verify?code=c0de'],
  ['https://a.example/verify?', 'https://a.example/verify?code=c0de'],
  ['https://a.example/?next=home', 'https://a.example/?code=c0de&next=home'],
  ['https://a.example/?b=2&a=1', 'https://a.example/?code=c0de&b=2&a=1'],
  ['https://a.example/?a=1&a=2', 'https://a.example/?code=c0de&a=1&a=2'],
  ['https://a.example/?code=old', 'https://a.example/?code=c0de'],
  ['https://a.example/?a=1&code=old&b=2&code=older', 'https://a.example/?code=c0de&a=1&b=2'],
  ['https://a.example/?c%6Fde=old', 'https://a.example/?code=c0de'],
  ['https://a.example/?codes=1&Code=2', 'https://a.example/?code=c0de&codes=1&Code=2'],
  ['https://a.example/#part', 'https://a.example/?code=c0de#part'],
  ['https://a.example/?a=1#?code=x', 'https://a.example/?code=c0de&a=1#?code=x'],
  // The query keeps its exact spelling.
  ['https://a.example/?next=%2Fhome%3Fx%3D1%26y', 'https://a.example/?code=c0de&next=%2Fhome%3Fx%3D1%26y'],
  ['https://a.example/?name=Ada%20L', 'https://a.example/?code=c0de&name=Ada%20L'],
  ['https://a.example/?name=Ada+L', 'https://a.example/?code=c0de&name=Ada+L'],
  ['https://a.example/?latin=%FF', 'https://a.example/?code=c0de&latin=%FF'],
  ['https://a.example/?flag&empty=', 'https://a.example/?code=c0de&flag&empty='],
  ['https://a.example/?path=a/b:c', 'https://a.example/?code=c0de&path=a/b:c'],
  ['https://a.example:8443/x', 'https://a.example:8443/x?code=c0de'],
  ['myapp://localhost/verify?a=1', 'myapp://localhost/verify?code=c0de&a=1'],
])('the link for the callback %s is %s', (callbackUrl, link) => {
  expect(linkWithCode(callbackUrl, 'c0de')).toBe(link);
});

const nowMillis = 1_000;
const fresh: CodeState = { attempts: 1, expiresAtMillis: nowMillis + 1, usedAtMillis: null };
const old = { expiresAtMillis: nowMillis };
const used = { usedAtMillis: nowMillis - 1 };
const guessed = { attempts: 21 };

/** The error of a code, if any. */
function errorOf(code: CodeState | undefined): unknown {
  try {
    assertUsable(code, { maxAttempts: 20, nowMillis });
    return undefined;
  } catch (error) {
    return error instanceof Error && 'errorCode' in error ? error.errorCode : error;
  }
}

test.each<[string, Partial<CodeState>, string | undefined]>([
  ['a valid code', {}, undefined],
  ['the twentieth attempt', { attempts: 20 }, undefined],
  ['the last millisecond', { expiresAtMillis: nowMillis + 1 }, undefined],
  ['expired', old, 'VERIFICATION_CODE_EXPIRED'],
  ['used', used, 'VERIFICATION_CODE_ALREADY_USED'],
  ['too many attempts', guessed, 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'],
  ['expired and used', { ...old, ...used }, 'VERIFICATION_CODE_EXPIRED'],
  ['expired and too many attempts', { ...old, ...guessed }, 'VERIFICATION_CODE_EXPIRED'],
  ['used and too many attempts', { ...used, ...guessed }, 'VERIFICATION_CODE_ALREADY_USED'],
  ['expired, used and too many attempts', { ...old, ...used, ...guessed }, 'VERIFICATION_CODE_EXPIRED'],
])('a code with several faults answers the first one of the contract: %s', (_, state, expected) => {
  expect(errorOf({ ...fresh, ...state })).toBe(expected);
});

test('an unknown code answers VERIFICATION_CODE_NOT_FOUND', () => {
  expect(errorOf(undefined)).toBe('VERIFICATION_CODE_NOT_FOUND');
});
