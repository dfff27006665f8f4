import { describe, expect, test } from 'vitest';
import { assertScope, isPrintable, projectOfClient } from './rules.ts';

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
