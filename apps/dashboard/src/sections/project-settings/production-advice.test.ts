import { expect, test } from 'vitest';
import { productionAdvice } from './production-advice.ts';
import { words } from './words.ts';

const domain = { domain: 'https://app.example.com', handlerPath: '/handler' };
const ownKeys = { id: 'github', type: 'standard', clientId: 'id', clientSecret: 'secret' } as const;
const sharedKeys = { id: 'google', type: 'shared' } as const;

test('a project with a domain and own keys has no recommendation', () => {
  expect(productionAdvice({ domains: [domain], oauthProviders: [ownKeys] }, [])).toEqual([]);
});

test('a project without a domain and with shared keys has a recommendation for each', () => {
  const advice = productionAdvice({ domains: [], oauthProviders: [ownKeys, sharedKeys] }, ['google']);
  expect(advice).toEqual([
    { text: words.noDomain, provider: undefined },
    { text: words.sharedKeys('Google'), provider: 'google' },
  ]);
});

test('a provider without keys is not said to use shared keys', () => {
  expect(productionAdvice({ domains: [domain], oauthProviders: [sharedKeys] }, [])).toEqual([
    { text: 'Users cannot sign in with Google: it needs your own keys.', provider: 'google' },
  ]);
});
