import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sent, signedIn, success } from '../../../test/signed-in.ts';
import { soon } from '../../../test/soon.ts';
import { json, knownError } from '../../../test/stub-server.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const wire = {
  id: 'one',
  name: null,
  provider_name: 'Bitwarden',
  device: { browser: 'Firefox 140', system: 'Linux', type: 'desktop' },
  is_synced: true,
  created_at_millis: 5,
  last_used_at_millis: null,
};
const listed = { items: [wire], is_paginated: false, user_handle: 'dXNlcg', user_name: 'Ada' };
const list = 'GET /api/v1/extensions/passkeys';

describe('passkeys of the user', () => {
  test('are listed with dates', async () => {
    const { user } = await signedIn({ [list]: () => json(listed) });
    expect(await soon(user.getPasskeys())).toEqual([
      {
        id: 'one',
        name: null,
        providerName: 'Bitwarden',
        device: wire.device,
        isSynced: true,
        createdAt: new Date(5),
        lastUsedAt: null,
      },
    ]);
  });

  test('are renamed and removed', async () => {
    const { user, server } = await signedIn({
      [list]: () => json({ ...listed, items: [] }),
      'PATCH /api/v1/extensions/passkeys/one': success,
      'DELETE /api/v1/extensions/passkeys/one': success,
    });
    await soon(user.renamePasskey('one', 'Phone'));
    await soon(user.removePasskey('one'));
    expect(sent(server).slice(0, 3)).toEqual([
      'PATCH /extensions/passkeys/one {"name":"Phone"}',
      'DELETE /extensions/passkeys/one',
      'GET /extensions/passkeys',
    ]);
  });

  test('are removed also when the list for the browser cannot be read afterwards', async () => {
    const { user, server } = await signedIn({
      [list]: () => knownError('USER_AUTHENTICATION_REQUIRED', 401),
      'DELETE /api/v1/extensions/passkeys/one': success,
    });
    await expect(soon(user.removePasskey('one'))).resolves.toBeUndefined();
    expect(sent(server)).toContain('GET /extensions/passkeys');
  });
});

describe('provider accounts of the user', () => {
  test('are listed with dates', async () => {
    const items = [{ provider_id: 'github', name: 'Ada', email: null, connected_at_millis: 5 }];
    const { user } = await signedIn({
      'GET /api/v1/extensions/connected-accounts': () => json({ items, is_paginated: false }),
    });
    expect(await soon(user.getProviderAccounts())).toEqual([
      { providerId: 'github', name: 'Ada', email: null, connectedAt: new Date(5) },
    ]);
  });

  test('a removal of the last sign-in method throws its code', async () => {
    const { user } = await signedIn({
      'DELETE /api/v1/extensions/connected-accounts/github': () => knownError('LAST_SIGN_IN_METHOD', 409),
    });
    await expect(soon(user.disconnectProvider('github'))).rejects.toMatchObject({ errorCode: 'LAST_SIGN_IN_METHOD' });
  });

  test('connecting asks for a recent sign-in before the page is left', async () => {
    const { user } = await signedIn({
      'GET /api/v1/extensions/reauthentication': () => json({ methods: [], is_required: true }),
    });
    await expect(soon(user.connectProvider('github'))).rejects.toMatchObject({
      errorCode: 'REAUTHENTICATION_REQUIRED',
    });
  });
});
