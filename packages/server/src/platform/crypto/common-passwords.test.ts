import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

describe('control 6: the check for common passwords', () => {
  test('has a list of at least 3000 passwords of the permitted length', () => {
    const longEnough = dictionary['passwords-common'].filter(password => String(password).length >= 8);
    expect(longEnough.length).toBeGreaterThan(3000);
  });

  test('finds each of the first 3000 passwords of the list that are long enough', async () => {
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
