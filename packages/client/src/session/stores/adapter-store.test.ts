import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { internals } from '../../app/internals-symbol.ts';
import { clientApp, machine, userJson } from '../../test/apps.ts';
import { soon } from '../../test/soon.ts';
import { createStubServer, json } from '../../test/stub-server.ts';
import { accessToken } from '../../test/tokens.ts';
import type { Tokens } from '../tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A store outside the SDK, such as the storage of a browser extension. */
function createStorage(withEvents: boolean) {
  let tokens: Tokens = { accessToken: null, refreshToken: null };
  const listeners = new Set<() => void>();
  return {
    get: () => tokens,
    set(next: Tokens) {
      tokens = next;
    },
    ...(withEvents && {
      subscribe(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }),
    /** A change by another process. */
    change(next: Tokens) {
      tokens = next;
      for (const listener of listeners) listener();
    },
  };
}

function open(withEvents: boolean) {
  const server = createStubServer({
    'GET /api/v1/users/me': ({ headers }) => json({ ...userJson, display_name: headers.get('x-stack-refresh-token') }),
    'POST /api/v1/auth/password/sign-in': () =>
      json({ access_token: accessToken(), refresh_token: 'new', user_id: userJson.id }),
    'DELETE /api/v1/auth/sessions/current': () => json({ success: true }),
  });
  const storage = createStorage(withEvents);
  return { storage, app: clientApp(machine(server.fetch), { tokenStore: storage, redirectMethod: 'none' }) };
}

test.each([true, false])('a store of the app holds the tokens from sign-in to sign-out (events: %s)', async events => {
  const { app, storage } = open(events);
  await soon(app.signInWithCredential({ email: 'a@b.example', password: 'p', noRedirect: true }));
  expect(storage.get().refreshToken).toBe('new');
  expect((await soon(app.getUser()))?.displayName).toBe('new');
  await soon(app.signOut());
  expect(storage.get()).toEqual({ accessToken: null, refreshToken: null });
});

test('a change of the store by another process reaches listeners', async () => {
  const { app, storage } = open(true);
  const names: (string | null | undefined)[] = [];
  const reader = app[internals].user();
  reader.subscribe(() => {
    const result = reader.peek();
    if (result?.status === 'ok') names.push(result.data?.displayName);
  });
  storage.change({ accessToken: accessToken(), refreshToken: 'elsewhere' });
  await soon(reader.promise());
  expect(names.at(-1)).toBe('elsewhere');
});
