import { describe, expect, test } from 'vitest';
import { assertScope, classifyReuse, isPrintable, projectOfClient, remainingLifetime } from './rules.ts';

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
    // RFC 6749 A.17: VSCHAR begins with the space.
    ['a b', true],
    ['', false],
    [undefined, false],
    ['a\n', false],
    ['\ta', false],
    ['a\x7f', false],
    ['a\0', false],
    ['é', false],
    ['\u{1f600}', false],
  ])('of %j is %s', (token, expected) => {
    expect(isPrintable(token)).toBe(expected);
  });
});

describe('assertScope', () => {
  test.each([undefined, 'legacy'])('accepts %j', scope => {
    expect(() => assertScope(scope)).not.toThrow();
  });

  test.each(['', 'openid', 'legacy openid', 'LEGACY', ' legacy'])('refuses %j with INVALID_SCOPE', scope => {
    expect(() => assertScope(scope)).toThrow(expect.objectContaining({ errorCode: 'INVALID_SCOPE', statusCode: 400 }));
  });
});

describe('control 28: remainingLifetime of a session that is 10 ms old and expires in 90 ms', () => {
  const session = { createdAtMillis: 1_000, expiresAtMillis: 1_100 };

  test.each([
    [undefined, 90],
    [200, 90],
    [100, 90],
    [40, 30],
  ])('in a project with the maximum age %s is %i ms', (maxLifetimeMs, expected) => {
    expect(remainingLifetime(session, { nowMillis: 1_010, maxLifetimeMs })).toBe(expected);
  });
});

describe('control 25: classifyReuse of a refresh token after its exchange', () => {
  const nowMillis = 1_752_000_000_000;

  test.each([
    ['at once', 0, true, 'repeated'],
    ['at once, the successor was used', 0, false, 'repeated'],
    ['at the end of the 30 seconds', 30_000, false, 'repeated'],
    ['after the 30 seconds', 30_001, true, 'unanswered'],
    ['after 20 days, the successor was never used', 20 * 86_400_000, true, 'unanswered'],
    ['after the 30 seconds, the successor was used', 30_001, false, 'stolen'],
  ])('%s: after %i ms, successor current %s, the verdict is %s', (_, agoMs, isSuccessorCurrent, meaning) => {
    const givenAtMillis = nowMillis - agoMs;
    const token = { rotatedAtMillis: givenAtMillis, givenAtMillis, isWithdrawn: false, isSuccessorCurrent };
    expect(classifyReuse(token, { nowMillis, rotates: true })).toBe(meaning);
  });

  test('repeated, shortly after a second successor was issued', () => {
    const [rotatedAtMillis, givenAtMillis] = [nowMillis - 86_400_000, nowMillis - 30_000];
    const token = { rotatedAtMillis, givenAtMillis, isWithdrawn: false, isSuccessorCurrent: true };
    expect(classifyReuse(token, { nowMillis, rotates: true })).toBe('repeated');
    const later = { nowMillis: nowMillis + 1, rotates: true };
    expect(classifyReuse(token, later)).toBe('unanswered');
  });

  test('stolen, in a project that no longer rotates: the successor may have been used without an exchange', () => {
    const givenAtMillis = nowMillis - 30_001;
    const token = { rotatedAtMillis: givenAtMillis, givenAtMillis, isWithdrawn: false, isSuccessorCurrent: true };
    expect(classifyReuse(token, { nowMillis, rotates: false })).toBe('stolen');
    expect(classifyReuse({ ...token, givenAtMillis: nowMillis }, { nowMillis, rotates: false })).toBe('repeated');
  });

  test.each([
    ['its response came late', 30_000, 'repeated'],
    ['another client has kept it', 30_001, 'stolen'],
  ])('a withdrawn token, %s: after %i ms the verdict is %s', (_, agoMs, meaning) => {
    const rotatedAtMillis = nowMillis - agoMs;
    const token = { rotatedAtMillis, givenAtMillis: nowMillis, isWithdrawn: true, isSuccessorCurrent: true };
    expect(classifyReuse(token, { nowMillis, rotates: true })).toBe(meaning);
  });
});
