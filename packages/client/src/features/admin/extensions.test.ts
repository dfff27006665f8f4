import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAdmin } from '../../test/apps.ts';
import { sent } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json } from '../../test/stub-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const extension = '/api/v1/internal/extensions';

test('the last use of an API key is a date, or null', async () => {
  const { app } = openAdmin({
    [`GET ${extension}/api-key-usage/k1`]: () => json({ id: 'k1', last_used_at_millis: 60_000 }),
    [`GET ${extension}/api-key-usage/k2`]: () => json({ id: 'k2', last_used_at_millis: null }),
  });
  expect(await soon(app.getApiKeyUsage('k1'))).toEqual({ lastUsedAt: new Date(60_000) });
  expect(await soon(app.getApiKeyUsage('k2'))).toEqual({ lastUsedAt: null });
});

test('a rotation of the signing keys returns the published keys', async () => {
  const { app } = openAdmin({
    [`POST ${extension}/signing-keys/rotate`]: () => json({ current_kid: 'b', published_kids: ['b', 'c', 'a'] }),
  });
  expect(await soon(app.rotateSigningKeys())).toEqual({ currentKeyId: 'b', publishedKeyIds: ['b', 'c', 'a'] });
});

describe('a test of an OAuth provider', () => {
  const path = `${extension}/oauth-provider-tests`;

  test('is begun for a provider, and answers a URL', async () => {
    const { app, server } = openAdmin({ [`POST ${path}`]: () => json({ url: 'https://api.example/start?state=s' }) });
    expect(await soon(app.testOAuthProvider('github'))).toEqual({ url: 'https://api.example/start?state=s' });
    expect(sent(server)).toEqual(['POST /internal/extensions/oauth-provider-tests {"provider_id":"github"}']);
  });

  test.each([
    [{ id: '1', email: 'ada@example.com', is_email_verified: true }, null],
    [null, { reason: 'client', message: 'the provider responded: invalid_client' }],
  ])('is read with the account or the failure', async (account, failure) => {
    const wire = { provider_id: 'github', account, failure, tested_at_millis: 60_000 };
    const { app } = openAdmin({ [`GET ${path}/t1`]: () => json(wire) });
    expect(await soon(app.getOAuthProviderTest('t1'))).toEqual({
      providerId: 'github',
      account: account && { id: '1', email: 'ada@example.com', isEmailVerified: true },
      failure,
      testedAt: new Date(60_000),
    });
  });
});
