import { randomUUID } from 'node:crypto';
import type { CallOptions } from '@tessera/testing/call';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import {
  invalid,
  noUser,
  openScene,
  type Person,
  plainPasswords,
  refused,
  type Scene,
} from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let ada: Person;
let eve: Person;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  const own = { type: 'standard', clientId: 'an id', sealedClientSecret: 'sealed' } as const;
  scene = await openScene(server, {
    oauthProviders: [
      { id: 'github', ...own },
      { id: 'gitlab', ...own },
      { id: 'google', type: 'shared' },
    ],
  });
  const oauth_providers = ['github', 'google'].map(id => ({ id, account_id: `at ${id}`, email: null }));
  [ada, eve] = [await scene.person({ oauth_providers }), await scene.person()];
});

const levels = ['client', 'server', 'admin'] as const;
const as = ({ accessToken }: Person): CallOptions => ({ accessToken });
const asServer = { level: 'server' } as const;
const code = (name: string) => ({ status: 400, code: name });
const unknownProvider = code('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED');
const shared = code('OAUTH_ACCESS_TOKEN_NOT_AVAILABLE_WITH_SHARED_OAUTH_KEYS');
const notConnected = code('OAUTH_CONNECTION_NOT_CONNECTED_TO_USER');
const noToken = code('OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE');

const ask = (options: CallOptions, provider_id: string, user_id = ada.id, body: unknown = {}) =>
  scene.call('POST /connected-accounts/{user_id}/{provider_id}/access-token', {
    ...options,
    params: { user_id, provider_id },
    body,
  });

describe('POST /connected-accounts/{user_id}/{provider_id}/access-token', () => {
  test.each(levels)(
    'an account without tokens is refused with OAUTH_CONNECTION_DOES_NOT_HAVE_REQUIRED_SCOPE at level %s',
    async level => {
      expect(await ask({ ...as(ada), level }, 'github')).toEqual(noToken);
      expect(await ask({ ...as(ada), level }, 'github', 'me', { scope: 'read:user' })).toEqual(noToken);
      expect(await ask({ ...as(ada), level }, 'github', ada.id.toUpperCase())).toEqual(noToken);
    },
  );

  test.each(levels)('the provider is checked before the account, at level %s', async level => {
    const options = { ...as(ada), level };
    for (const id of ['spotify', 'GitHub', 'nonsense']) expect(await ask(options, id)).toEqual(unknownProvider);
    expect(await ask(options, 'google')).toEqual(shared);
    expect(await ask(options, 'gitlab')).toEqual(notConnected);
    expect(await ask({ ...as(eve), level }, 'google', 'me')).toEqual(shared);
    expect(await ask({ ...as(eve), level }, 'github', 'me')).toEqual(notConnected);
  });

  test('control 92: a client gets tokens of its own user only', async () => {
    for (const id of ['github', 'google', 'spotify']) {
      expect(await ask({}, id)).toEqual(refused(403));
      expect(await ask({}, id, 'me')).toEqual(noUser);
      expect(await ask(asServer, id, 'me')).toEqual(noUser);
      expect(await ask(as(eve), id)).toEqual(refused(403));
      expect(await ask(as(eve), id, randomUUID())).toEqual(refused(403));
    }
  });

  test('control 92: a server gets USER_NOT_FOUND for an unknown user', async () => {
    const elsewhere = await (await openScene(server)).person();
    for (const id of [randomUUID(), elsewhere.id]) {
      expect(await ask(asServer, 'github', id)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
      // The provider is checked before the user.
      expect(await ask(asServer, 'spotify', id)).toEqual(unknownProvider);
      expect(await ask(asServer, 'google', id)).toEqual(shared);
    }
    expect(await ask(asServer, 'github')).toEqual(noToken);
  });

  test.each([{ scope: null }, { scope: ['a'] }, { scope: 'x'.repeat(4_001) }, { more: 1 }, []])(
    'a body of %j is refused',
    async body => {
      expect(await ask(as(ada), 'github', ada.id, body)).toEqual(invalid);
    },
  );

  test('a malformed user id is refused', async () => {
    expect(await ask(as(ada), 'github', 'x')).toEqual(invalid);
  });
});

describe('POST /auth/oauth/connected-accounts/{provider_id}/access-token', () => {
  const askOwn = (options: CallOptions, provider_id: string, body: unknown = {}) =>
    scene.call('POST /auth/oauth/connected-accounts/{provider_id}/access-token', {
      ...options,
      params: { provider_id },
      body,
    });

  test('returns the token of the caller', async () => {
    expect(await askOwn(as(ada), 'github')).toEqual(noToken);
    expect(await askOwn(as(ada), 'google')).toEqual(shared);
    expect(await askOwn(as(ada), 'spotify')).toEqual(unknownProvider);
    expect(await askOwn(as(eve), 'github')).toEqual(notConnected);
    expect(await askOwn({}, 'github')).toEqual(noUser);
    expect(await askOwn(as(ada), 'github', { more: 1 })).toEqual(invalid);
  });
});
