import { providerLook } from '@tessera/ui';
import { expect, test } from 'vitest';
import { oauthProviders, providerName } from './oauth-providers.ts';

test.each(oauthProviders)('the provider $id has a mark, and the name that the sign-in pages show', ({ id, name }) => {
  expect(providerLook(id)).toEqual({ name, icon: expect.any(Array) });
});

test('an unknown provider is named by its id', () => {
  expect(providerName('a-new-one')).toBe('a-new-one');
});
