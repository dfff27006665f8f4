import { describe, expect, test } from 'vitest';
import { isContextual } from './password-policy.ts';

describe('control 7: the check for passwords made of account names', () => {
  const names = ['Acme Tools', 'ada.lovelace'];

  test.each([
    'acme tools',
    'AcmeTools2026!',
    'tools-acme-1',
    'ada.lovelace',
    'AdaLovelace1815',
    'lovelace99',
    '!!acme!!ada!!99',
    'ａｃｍｅ－ｔｏｏｌｓ',
  ])('refuses %s', password => {
    expect(isContextual(password, names)).toBe(true);
  });

  test.each(['correct horse battery', 'short-1815', 'acme, but with a horse', 'my lovelace biography', 'адапароль'])(
    'accepts %s',
    password => {
      expect(isContextual(password, names)).toBe(false);
    },
  );

  test('ignores names of one or two letters', () => {
    expect(isContextual('jojoba-xy', ['jo', 'xy'])).toBe(false);
  });

  test('accepts any password when there are no names', () => {
    expect(isContextual('password', ['', '...'])).toBe(false);
  });
});
