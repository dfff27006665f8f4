import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

describe('control 6: a password that many people have', () => {
  test('is one of a list of at least 3000, of the length that a password has', () => {
    const longEnough = dictionary['passwords-common'].filter(password => String(password).length >= 8);
    expect(longEnough.length).toBeGreaterThan(3000);
  });

  test('is found, all of the first 3000 that are long enough', async () => {
    const longEnough = dictionary['passwords-common'].map(String).filter(password => password.length >= 8);
    for (const password of longEnough.slice(0, 3000))
      expect([password, await isCommonPassword(password)]).toEqual([password, true]);
  });

  test.each([
    'password',
    'PassWord',
    'password1',
    'Password1!',
    '!!iloveyou!!',
    'qwertyuiop',
    '1q2w3e4r',
    'ｐａｓｓｗｏｒｄ',
  ])('is found as %s', async password => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  test.each([
    'correct horse battery',
    'another password',
    'passwordpasswordpassword',
    '!!!!!!!!!!!!',
    'ключ от квартиры',
  ])('is not %s', async password => {
    expect(await isCommonPassword(password)).toBe(false);
  });
});
