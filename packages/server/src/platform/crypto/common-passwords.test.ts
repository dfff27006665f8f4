import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, test, vi } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

describe('control 6: the check for common passwords', () => {
  test('has a list of at least 3000 passwords of the permitted length', () => {
    const longEnough = dictionary['passwords-common'].filter(password => String(password).length >= 8);
    expect(longEnough.length).toBeGreaterThan(3000);
  });

  test('finds every password of the list, so the file of fingerprints is up to date', async () => {
    const found = await Promise.all(dictionary['passwords-common'].map(password => isCommonPassword(String(password))));
    const missing = dictionary['passwords-common'].filter((_, index) => !found[index]);
    expect(missing).toEqual([]);
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

test('a list of common passwords that could not be read is read again for the next password', async () => {
  const readFile = vi.fn().mockRejectedValueOnce(new Error('EMFILE')).mockResolvedValue(Buffer.alloc(0));
  vi.resetModules();
  vi.doMock('node:fs/promises', () => ({ readFile }));
  const fresh = await import('./common-passwords.ts');
  await expect(fresh.isCommonPassword('password')).rejects.toThrow('EMFILE');
  expect(await fresh.isCommonPassword('password')).toBe(false);
  vi.doUnmock('node:fs/promises');
});
