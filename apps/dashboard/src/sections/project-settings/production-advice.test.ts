import { expect, test } from 'vitest';
import { productionAdvice } from './production-advice.ts';
import { words } from './words.ts';

const domain = { domain: 'https://app.example.com', handlerPath: '/handler' };
const ownKeys = { id: 'github', type: 'standard', clientId: 'id', clientSecret: 'secret' } as const;

test('a project with a domain and own keys has no recommendation', () => {
  expect(productionAdvice({ domains: [domain], oauthProviders: [ownKeys] }, [])).toEqual([]);
});

test('a project without a domain and with shared keys has a recommendation for each', () => {
  const oauthProviders = [ownKeys, { id: 'google', type: 'shared' }] as const;
  const advice = productionAdvice({ domains: [], oauthProviders }, ['google']);
  expect(advice).toEqual([
    { text: words.noDomain, provider: undefined },
    { text: words.sharedKeys('Google'), provider: 'google' },
  ]);
});

test('a provider without keys is not said to use shared keys', () => {
  const config = { domains: [domain], oauthProviders: [{ id: 'google', type: 'shared' }] } as const;
  expect(productionAdvice(config, [])).toEqual([
    { text: 'Users cannot sign in with Google: it needs your own keys.', provider: 'google' },
  ]);
});
