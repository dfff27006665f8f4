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
  // What the page finds is what its author wrote, letter by letter.
  ['https://a.example/?next=%2Fhome%3Fx%3D1%26y', 'https://a.example/?code=c0de&next=%2Fhome%3Fx%3D1%26y'],
  ['https://a.example/?name=Ada%20L', 'https://a.example/?code=c0de&name=Ada%20L'],
  ['https://a.example/?name=Ada+L', 'https://a.example/?code=c0de&name=Ada+L'],
  ['https://a.example/?latin=%FF', 'https://a.example/?code=c0de&latin=%FF'],
  ['https://a.example/?flag&empty=', 'https://a.example/?code=c0de&flag&empty='],
  ['https://a.example/?path=a/b:c', 'https://a.example/?code=c0de&path=a/b:c'],
  ['https://a.example:8443/x', 'https://a.example:8443/x?code=c0de'],
  ['myapp://localhost/verify?a=1', 'myapp://localhost/verify?code=c0de&a=1'],
])('%s becomes %s', (callbackUrl, link) => {
  expect(linkWithCode(callbackUrl, 'c0de')).toBe(link);
});

const nowMillis = 1_000;
const fresh: CodeState = { attempts: 1, expiresAtMillis: nowMillis + 1, usedAtMillis: null };
const old = { expiresAtMillis: nowMillis };
const used = { usedAtMillis: nowMillis - 1 };
const guessed = { attempts: 21 };

/** What is told of a code, if anything. */
function toldOf(code: CodeState | undefined): unknown {
  try {
    assertUsable(code, { maxAttempts: 20, nowMillis });
    return undefined;
  } catch (error) {
    return error instanceof Error && 'errorCode' in error ? error.errorCode : error;
  }
}

test.each<[string, Partial<CodeState>, string | undefined]>([
  ['a good one', {}, undefined],
  ['the twentieth try', { attempts: 20 }, undefined],
  ['the last millisecond', { expiresAtMillis: nowMillis + 1 }, undefined],
  ['old', old, 'VERIFICATION_CODE_EXPIRED'],
  ['used', used, 'VERIFICATION_CODE_ALREADY_USED'],
  ['guessed at', guessed, 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'],
  ['old and used', { ...old, ...used }, 'VERIFICATION_CODE_EXPIRED'],
  ['old and guessed at', { ...old, ...guessed }, 'VERIFICATION_CODE_EXPIRED'],
  ['used and guessed at', { ...used, ...guessed }, 'VERIFICATION_CODE_ALREADY_USED'],
  ['all three', { ...old, ...used, ...guessed }, 'VERIFICATION_CODE_EXPIRED'],
])('of a code the first fault in the contract is told: %s', (_, state, expected) => {
  expect(toldOf({ ...fresh, ...state })).toBe(expected);
});

test('and of none that there is none', () => {
  expect(toldOf(undefined)).toBe('VERIFICATION_CODE_NOT_FOUND');
});
