import { providerLook } from '@tessera/ui';
import { expect, test } from 'vitest';
import { lacksKeys, oauthProviders, providerName } from './oauth-providers.ts';

test.each(oauthProviders)('the provider $id has a mark, and the name that the sign-in pages show', ({ id, name }) => {
  expect(providerLook(id)).toEqual({ name, icon: expect.any(Array) });
});

test('an unknown provider is named by its id', () => {
  expect(providerName('a-new-one')).toBe('a-new-one');
});

test.each([
  ['shared keys that this server has', { id: 'google', type: 'shared' }, false],
  ['shared keys that this server does not have', { id: 'github', type: 'shared' }, true],
  ['own keys', { id: 'github', type: 'standard' }, false],
] as const)('whether a provider with %s lacks keys: %s', (_, provider, expected) => {
  expect(lacksKeys(provider, ['google'])).toBe(expected);
});
