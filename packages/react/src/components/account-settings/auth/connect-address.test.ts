import { expect, test } from 'vitest';
import { askedProvider, connectAddress, withoutQuestion } from './connect-address.ts';

test.each([
  ['/handler/account-settings', '/handler/account-settings?connect=github#auth'],
  ['/account?tab=1#profile', '/account?tab=1&connect=github#auth'],
])('the settings at %s ask at %s', (settings, expected) => {
  expect(connectAddress(settings, 'github')).toBe(expected);
  const url = new URL(expected, 'https://shop.example');
  expect(askedProvider(url.search)).toBe('github');
  expect(withoutQuestion(url.href)).toBe(expected.replace(/[?&]connect=github/, ''));
});

test('a page without the parameter does not ask to connect a provider', () => {
  expect(askedProvider('?other=1')).toBeUndefined();
});
