import { expect, test } from 'vitest';
import { usableSharedProviders } from './shared-providers.ts';

const keys = { clientId: 'id', clientSecret: 'secret' };

test.each([
  ['production without keys', { mode: 'production', oauthClients: {} }, []],
  [
    'production with keys of two providers',
    { mode: 'production', oauthClients: { google: keys, apple: keys } },
    ['google'],
  ],
  ['development without keys', { mode: 'development', oauthClients: {} }, ['github', 'google', 'microsoft', 'spotify']],
] as const)('a server in %s has the expected shared keys', (_, settings, expected) => {
  expect(usableSharedProviders(settings)).toEqual(expected);
});
