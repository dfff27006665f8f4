import { describe, expect, test } from 'vitest';
import { isContextual } from './password-policy.ts';

describe('control 7: a password that is made of the words around it', () => {
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
  ])('%s is one', password => {
    expect(isContextual(password, names)).toBe(true);
  });

  test.each(['correct horse battery', 'short-1815', 'acme, but with a horse', 'my lovelace biography', 'адапароль'])(
    '%s is none',
    password => {
      expect(isContextual(password, names)).toBe(false);
    },
  );

  test('names of one or two letters are in too many words to count', () => {
    expect(isContextual('jojoba-xy', ['jo', 'xy'])).toBe(false);
  });

  test('without names there is none', () => {
    expect(isContextual('password', ['', '...'])).toBe(false);
  });
});
