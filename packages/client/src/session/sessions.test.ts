import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clientApp, machine, userJson } from '../test/apps.ts';
import { stillInMemory } from '../test/garbage.ts';
import { soon } from '../test/soon.ts';
import { createStubServer, json } from '../test/stub-server.ts';
import { accessToken } from '../test/tokens.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a program that signs in again and again keeps the users of the last 20 sessions at most', async () => {
  let count = 0;
  const server = createStubServer({
    'GET /api/v1/users/me': () => json(userJson),
    'POST /api/v1/auth/password/sign-in': () =>
      json({ access_token: accessToken(), refresh_token: `r${++count}`, user_id: userJson.id }),
  });
  const app = clientApp(machine(server.fetch));
  const users: WeakRef<object>[] = [];
  for (let each = 0; each < 30; each++) {
    await soon(app.signInWithCredential({ email: 'ada@example.com', password: 'pw', noRedirect: true }));
    users.push(new WeakRef(await soon(app.getUser({ or: 'throw' }))));
  }
  expect((await stillInMemory(users)).length).toBeLessThanOrEqual(20);
});
