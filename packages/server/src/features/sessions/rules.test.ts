import { describe, expect, test } from 'vitest';
import { assertScope, isPrintable, meaningOfReturn, projectOfClient } from './rules.ts';

describe('projectOfClient', () => {
  test.each([
    ['internal', 'internal'],
    ['internal#main', 'internal'],
    ['3241a285-8329-4d69-8f3d-316e08cf140c', '3241a285-8329-4d69-8f3d-316e08cf140c'],
    ['internal#other', undefined],
    ['internal#', undefined],
    ['internal#main#main', undefined],
    ['internal#main ', undefined],
    ['internal#MAIN', undefined],
    ['#main', undefined],
    ['#', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j names the project %j', (clientId, projectId) => {
    expect(projectOfClient(clientId)).toBe(projectId);
  });
});

describe('isPrintable', () => {
  test.each([
    ['a', true],
    ['!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~', true],
    // RFC 6749 A.17: VSCHAR begins with the blank
    ['a b', true],
    ['', false],
    [undefined, false],
    ['a\n', false],
    ['\ta', false],
    ['a\x7f', false],
    ['a\0', false],
    ['é', false],
    ['\u{1f600}', false],
  ])('%j: %s', (token, expected) => {
    expect(isPrintable(token)).toBe(expected);
  });
});

describe('assertScope', () => {
  test.each([undefined, 'legacy'])('%j passes', scope => {
    expect(() => assertScope(scope)).not.toThrow();
  });

  test.each(['', 'openid', 'legacy openid', 'LEGACY', ' legacy'])('%j is INVALID_SCOPE', scope => {
    expect(() => assertScope(scope)).toThrow(expect.objectContaining({ errorCode: 'INVALID_SCOPE', statusCode: 400 }));
  });
});

describe('control 25: a refresh token that comes back', () => {
  const nowMillis = 1_752_000_000_000;

  test.each([
    ['at once', 0, true, 'repeated'],
    ['at once, and the successor has been used', 0, false, 'repeated'],
    ['at the end of the moment', 30_000, false, 'repeated'],
    ['after the moment', 30_001, true, 'unanswered'],
    ['after days, and the successor was never used', 20 * 86_400_000, true, 'unanswered'],
    ['after the moment, and the successor has been used', 30_001, false, 'stolen'],
  ])('%s', (_, agoMs, isSuccessorCurrent, meaning) => {
    const givenAtMillis = nowMillis - agoMs;
    const token = { rotatedAtMillis: givenAtMillis, givenAtMillis, isWithdrawn: false, isSuccessorCurrent };
    expect(meaningOfReturn(token, { nowMillis, rotates: true })).toBe(meaning);
  });

  test('at once after it has come back before, long after its exchange', () => {
    const [rotatedAtMillis, givenAtMillis] = [nowMillis - 86_400_000, nowMillis - 30_000];
    const token = { rotatedAtMillis, givenAtMillis, isWithdrawn: false, isSuccessorCurrent: true };
    expect(meaningOfReturn(token, { nowMillis, rotates: true })).toBe('repeated');
    const later = { nowMillis: nowMillis + 1, rotates: true };
    expect(meaningOfReturn(token, later)).toBe('unanswered');
  });

  test('in a project that rotates no longer: its successor may have been used all the time', () => {
    const givenAtMillis = nowMillis - 30_001;
    const token = { rotatedAtMillis: givenAtMillis, givenAtMillis, isWithdrawn: false, isSuccessorCurrent: true };
    expect(meaningOfReturn(token, { nowMillis, rotates: false })).toBe('stolen');
    expect(meaningOfReturn({ ...token, givenAtMillis: nowMillis }, { nowMillis, rotates: false })).toBe('repeated');
  });

  test.each([
    ['soon: its answer came late', 30_000, 'repeated'],
    ['later: somebody has had it all the time', 30_001, 'stolen'],
  ])('that was withdrawn, %s', (_, agoMs, meaning) => {
    const rotatedAtMillis = nowMillis - agoMs;
    const token = { rotatedAtMillis, givenAtMillis: nowMillis, isWithdrawn: true, isSuccessorCurrent: true };
    expect(meaningOfReturn(token, { nowMillis, rotates: true })).toBe(meaning);
  });
});
