import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../../../test/soon.ts';
import { noConnection } from '../../../test/stub-server.ts';
import { createWorld } from '../../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('onUserChange reports sign-in, each new snapshot, update and sign-out, until the undo', async () => {
  const { openTab, ada } = createWorld();
  const { app } = openTab({ redirectMethod: 'none' });
  const seen: (string | null | undefined)[] = [];
  const stop = app.onUserChange(user => seen.push(user === null ? null : user.displayName));
  await soon(app.getUser());
  await soon(app.signInWithCredential(ada));
  const user = await soon(app.getUser({ or: 'throw' }));
  await soon(user.update({ displayName: 'Countess' }));
  await soon(app.signOut());
  await soon(app.getUser());
  // Twice Ada: a read of the user is a new snapshot.
  expect(seen).toEqual([null, 'Ada', 'Ada', 'Countess', null]);
  stop();
  await soon(app.signInWithCredential(ada));
  expect(seen).toHaveLength(5);
});

test('app.user follows a sign-in in another tab', async () => {
  const { openTab, ada } = createWorld();
  const [{ app }, other] = [openTab({ redirectMethod: 'none' }), openTab({ redirectMethod: 'none' })];
  expect(app.user.get()).toBeNull();
  const listener = vi.fn();
  const stop = app.user.subscribe(listener);
  await soon(other.app.signInWithCredential(ada));
  await soon(app.getUser());
  expect(app.user.get()?.primaryEmail).toBe('ada@example.com');
  expect(listener).toHaveBeenCalled();
  stop();
});

test('two updates at once end in a user with both changes, also when the first response comes last', async () => {
  const { openTab, server, ada } = createWorld();
  const { app } = openTab();
  await soon(app.signInWithCredential(ada));
  const user = await soon(app.getUser({ or: 'throw' }));
  const respond = server.routes['PATCH /api/v1/users/me'] ?? noConnection;
  server.routes['PATCH /api/v1/users/me'] = async request => {
    const response = await respond(request);
    if (request.body.includes('Countess')) await new Promise(resolve => setTimeout(resolve, 2000));
    return response;
  };
  app.user.subscribe(() => {});
  await soon(Promise.all([user.setDisplayName('Countess'), user.setClientMetadata({ theme: 'light' })]));
  expect(app.user.get()).toMatchObject({ displayName: 'Countess', clientMetadata: { theme: 'light' } });
});
